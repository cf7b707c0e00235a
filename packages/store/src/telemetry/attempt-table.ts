import type { DatabaseSync } from "node:sqlite";
import type { WebhookAttempt } from "./telemetry.ts";

export const attemptSchema: readonly string[] = [
  `CREATE TABLE webhook_attempts (seq INTEGER PRIMARY KEY, webhook TEXT NOT NULL, notice TEXT NOT NULL,
    position INTEGER NOT NULL, event TEXT NOT NULL, at INTEGER NOT NULL, attempt INTEGER NOT NULL, outcome TEXT NOT NULL,
    status INTEGER, error TEXT, ms INTEGER NOT NULL) STRICT`,
  `CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook, seq)`,
];

type Row = { readonly [Name in keyof WebhookAttempt]-?: Exclude<WebhookAttempt[Name], undefined> | null };

/** Attempts to deliver, a row each: the newest of every webhook, and of all of them together. */
export function openAttemptTable(db: DatabaseSync) {
  const keep = db.prepare(`INSERT INTO webhook_attempts
    (webhook, notice, position, event, at, attempt, outcome, status, error, ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  const trimOwn = db.prepare(`DELETE FROM webhook_attempts WHERE webhook = ? AND seq <=
    (SELECT seq FROM webhook_attempts WHERE webhook = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`);
  const trimAll = db.prepare(`DELETE FROM webhook_attempts WHERE seq <=
    (SELECT seq FROM webhook_attempts ORDER BY seq DESC LIMIT 1 OFFSET ?)`);
  const find = db.prepare(`SELECT webhook, notice, position, event, at, attempt, outcome, status, error, ms
    FROM webhook_attempts WHERE webhook = ? ORDER BY seq DESC`);
  return {
    keep: (one: WebhookAttempt, ofOne: number, ofAll: number): void => {
      const { webhook, notice, position, event, at, attempt, outcome, status = null, error = null, ms } = one;
      keep.run(webhook, notice, position, event, at, attempt, outcome, status, error, ms);
      trimOwn.run(webhook, webhook, ofOne);
      trimAll.run(ofAll);
    },
    find: (webhook: string): WebhookAttempt[] => (find.all(webhook) as unknown as Row[]).map(attemptOf),
  };
}

function attemptOf({ status, error, ...row }: Row): WebhookAttempt {
  const known = row as Omit<WebhookAttempt, "status" | "error">;
  return { ...known, ...(status !== null && { status }), ...(error !== null && { error }) };
}

import { fault } from "@gatehouse/contract";
import type { AuditEntry } from "@gatehouse/contract";
import type { CheckReport, VerifyReport } from "@gatehouse/store";
import { expect, test } from "vitest";
import { auditLimits } from "./limits.ts";
import { openAuditCheck } from "./open-audit-check.ts";

const head = { position: 9, link: "ab".repeat(32) };
const whole: CheckReport = { ok: true, floor: { position: 0, link: "" }, head, records: 9 };
const flaw = { file: "logs.db", position: 3, expected: "one thing", found: "another" };

/** A store that answers one check after the other as it is told, and the lines that were logged. */
function start(commit: (entry: AuditEntry) => Promise<{ version: number }> = () => Promise.resolve({ version: 1 })) {
  const answers: PromiseWithResolvers<CheckReport>[] = [];
  const entries: AuditEntry[] = [];
  const lines: string[] = [];
  const walks: unknown[] = [];
  let position = 9;
  let damage: Error | undefined;
  let walked: () => VerifyReport = () => ({ ...whole, head: { position, link: "cd".repeat(32) } });
  const line = (text: string) => void lines.push(text);
  const acts = new Map<number, () => void>();
  let now = 1_000;
  const check = openAuditCheck({
    store: {
      checkAudit: () => {
        const answer = Promise.withResolvers<CheckReport>();
        answers.push(answer);
        return answer.promise;
      },
      head: () => Promise.resolve({ position, link: "" }),
      searchAudit: () => (damage === undefined ? Promise.resolve({ items: [] }) : Promise.reject(damage)),
      verifyAudit: (since) => {
        walks.push(since);
        return Promise.resolve(walked());
      },
      commit: (entry) => {
        entries.push(entry);
        return commit(entry);
      },
    },
    clock: { now: () => now },
    log: { info: line, warn: line, error: line },
    every: (ms, act) => {
      acts.set(ms, act);
      return () => void lines.push("stopped");
    },
  });
  const settled = async () => {
    for (let turns = 0; turns < 5; turns += 1) await Promise.resolve();
    await new Promise(setImmediate);
  };
  return {
    check,
    entries,
    lines,
    answers,
    walks,
    again: () => acts.get(auditLimits.wholeEveryMs)?.(),
    afterAMinute: async (more: number) => {
      now += auditLimits.newEveryMs;
      position += more;
      acts.get(auditLimits.newEveryMs)?.();
      await settled();
    },
    settled,
    damage: (error: Error) => {
      damage = error;
    },
    walk: (report: VerifyReport) => {
      walked = () => report;
    },
    answer: async (report: CheckReport | Error) => {
      now += 500;
      if (report instanceof Error) answers.at(-1)?.reject(report);
      else answers.at(-1)?.resolve(report);
      await settled();
    },
  };
}

test("until the first check has ended nothing is claimed", async () => {
  const { check, answer, entries } = start();
  expect(check.report()).toEqual({ state: "checking", isRunning: true });
  await answer(whole);
  const verified = { position: 9, at: 1_500 };
  expect(check.report()).toEqual({ state: "ok", isRunning: false, endedAt: 1_500, last: whole, verified });
  expect(entries).toEqual([]);
});

test("what is not as it was written is told with its file and what to do, and written into the log", async () => {
  const { check, answer, entries, lines } = start();
  await answer({ ...whole, ok: false, broken: flaw });
  expect(check.report()).toMatchObject({ state: "failed", last: { broken: flaw } });
  expect(lines).toEqual(["logs.db is damaged or was edited"]);
  expect(entries).toEqual([
    {
      at: 1_500,
      actor: "system",
      action: "audit.check_failed",
      subject: "logs.db",
      outcome: "failed",
      detail: flaw,
    },
  ]);
});

test("a search that was made anew is told, and the log counts as whole", async () => {
  const { check, answer, entries } = start();
  await answer({ ...whole, rebuilt: flaw });
  expect(check.report()).toMatchObject({ state: "ok", last: { rebuilt: flaw } });
  expect(entries).toMatchObject([{ action: "audit.archive_rebuilt", subject: "logs.db" }]);
});

test("the next check leaves what the last one found until it ends, and never runs twice at once", async () => {
  const { check, answer, again, answers } = start();
  await answer({ ...whole, ok: false, broken: flaw });
  again();
  again();
  expect(answers).toHaveLength(2);
  expect(check.report()).toMatchObject({ state: "failed", isRunning: true, endedAt: 1_500 });
  await answer(whole);
  expect(check.report()).toMatchObject({ state: "ok", isRunning: false, endedAt: 2_000 });
});

test("a check that could not be made, or not be written down, is a line in the log and no verdict", async () => {
  const failing = start();
  await failing.answer(new Error("no thread"));
  expect(failing.check.report()).toEqual({ state: "checking", isRunning: false });
  expect(failing.lines).toEqual(["the audit log could not be checked"]);

  const full = start(() => Promise.reject(fault("store.disk_full", "full")));
  await full.answer({ ...whole, ok: false, broken: flaw });
  expect(full.check.report()).toMatchObject({ state: "failed" });
  expect(full.lines.at(-1)).toBe("what the check of the audit log found was not written into it");
});

test("a server that stops ends it without a word", async () => {
  const { check, answer, lines } = start();
  const closed = check.close();
  await answer(fault("store.closed", "the store is closed"));
  await closed;
  expect(lines).toEqual(["stopped", "stopped"]);
});

test("what is new is walked every minute from where the last walk ended, and a minute without a record reads nothing", async () => {
  const { check, answer, afterAMinute, walks } = start();
  await afterAMinute(5);
  expect(walks).toEqual([]);
  await answer(whole);
  await afterAMinute(0);
  expect(walks).toEqual([head]);
  await afterAMinute(0);
  expect(walks).toHaveLength(1);
  await afterAMinute(3);
  expect(walks).toEqual([head, { position: 14, link: "cd".repeat(32) }]);
  expect(check.report()).toMatchObject({
    state: "ok",
    verified: { position: 17, at: 1_500 + 4 * 60_000 },
    endedAt: 61_500,
  });
});

test("a walk that finds damage is a verdict at once, told once, until the whole log was read again", async () => {
  const { check, answer, afterAMinute, walk, entries, lines, again } = start();
  await answer(whole);
  walk({ ...whole, ok: false, broken: flaw });
  await afterAMinute(1);
  await afterAMinute(1);
  expect(check.report()).toMatchObject({ state: "failed", broken: flaw, endedAt: 61_500, verified: { position: 9 } });
  expect(entries).toMatchObject([{ action: "audit.check_failed", detail: flaw }]);
  expect(lines.at(-1)).toBe("logs.db is damaged or was edited");
  again();
  await answer(whole);
  expect(check.report()).toMatchObject({ state: "ok" });
  expect(check.report().broken).toBeUndefined();
});

test("damage that a reader meets, or a person who has the chain verified, is a verdict at once", async () => {
  const reading = start();
  await reading.answer(whole);
  const fields = { position: 3, expected: "a group", found: "other bytes" };
  reading.damage(fault("store.log_damaged", "…", { fields }));
  for (let reads = 0; reads < 3; reads += 1) {
    await expect(reading.check.reads.searchAudit({ limit: 1 })).rejects.toMatchObject({ code: "store.log_damaged" });
  }
  await reading.settled();
  const broken = { file: "state.json.audit-wal", ...fields };
  expect(reading.check.report()).toMatchObject({ state: "failed", broken });
  expect(reading.entries).toMatchObject([{ action: "audit.check_failed", subject: broken.file, detail: broken }]);

  const asked = start();
  await asked.answer(whole);
  asked.walk({ ...whole, ok: false, broken: flaw });
  await asked.check.reads.verifyAudit();
  expect(asked.check.report()).toMatchObject({ state: "failed", broken: flaw });
});

test("a refusal for another reason is no verdict", async () => {
  const { check, answer, damage } = start();
  await answer(whole);
  damage(fault("store.unavailable", "…"));
  await expect(check.reads.searchAudit({ limit: 1 })).rejects.toMatchObject({ code: "store.unavailable" });
  expect(check.report().state).toBe("ok");
});

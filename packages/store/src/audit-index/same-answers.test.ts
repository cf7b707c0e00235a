import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
import type { AuditPage, AuditQuery, LoggedEntry } from "../port.ts";
import { buildLog } from "./sample-logs.ts";
import { memoryIndex } from "./memory-index.ts";
import { logsFormat } from "./logs-format.ts";
import { openLogsHandlers } from "./logs-handlers.ts";

let directory: string;
let files = 0;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "same-answers-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Few values, so that queries often meet entries; some odd ones, because those are where two engines differ. */
const actor = fc.constantFrom("user_a", "user_b", "système", "node:Ω");
const action = fc.constantFrom("plan.made", "plan.approved", "plan", "plan/made", "plan.node.sent", "plugin.armed");
const subject = fc.constantFrom("node/1", "node/10", "node/É", "plan/x");
const at = fc.oneof(fc.integer({ min: 0, max: 20 }), fc.constantFrom(7.5, -3, 2 ** 52));
const anyText = fc.string({ unit: "grapheme", maxLength: 12 });
const someText = fc.constantFrom("plan made", "Überall ÜBER", "e\u0301cole", "10.0.0.1", "x_y-z", "ΣΟΦΟΣ", "İstanbul");
const detail = fc.dictionary(
  fc.constantFrom("a", "b"),
  fc.oneof(anyText, someText, fc.double({ noNaN: true }), fc.boolean()),
);
const entry: fc.Arbitrary<LoggedEntry> = fc.record(
  { at, actor, action, subject, detail, outcome: fc.constantFrom("done", "refused"), requestId: anyText },
  { requiredKeys: ["at", "actor", "action", "subject"] },
);

const word = fc.oneof(
  anyText,
  someText,
  fc.constantFrom("p", "pl", "PLAN", "é", "e", "ü", "1", "0", "σοφ", "i", "sys", "\u0301", "done re", "\u0000 a"),
);
const query: fc.Arbitrary<AuditQuery> = fc.record(
  {
    actor,
    action: fc.oneof(action, fc.constantFrom("plan.", "plan.node.", "p.", ".")),
    subject,
    from: at,
    to: at,
    text: word,
    after: fc.integer({ min: 0, max: 30 }),
    order: fc.constantFrom("newest" as const, "oldest" as const),
    limit: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: ["limit"] },
);

/** The SQLite side without its thread: random cases are many, and a thread for each takes long. */
function openHere(path: string) {
  const db = openDatabase(path, logsFormat);
  const audit = openLogsHandlers(db);
  const search = (query: AuditQuery): AuditPage => {
    const { items, ...next } = audit.search(query);
    return { items: JSON.parse(items) as AuditPage["items"], ...next };
  };
  return { ...audit, search, close: () => db.close() };
}

test("both adapters give the same answers to random queries", async () => {
  const groups = fc.array(fc.array(entry, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 });
  const cuts = fc.record({ archive: fc.nat(8), prune: fc.nat(8) });
  const queries = fc.array(query, { minLength: 20, maxLength: 40 });
  const property = fc.asyncProperty(groups, cuts, queries, async (made, cut, asked) => {
    const log = buildLog(JSON.parse(JSON.stringify(made)) as LoggedEntry[][]);
    files += 1;
    const sqlite = openHere(join(directory, `${files}.db`));
    const memory = memoryIndex();
    try {
      for (const index of [sqlite, memory]) {
        await index.append(log.bytes);
        const archived = log.heads[cut.archive - 1];
        if (archived !== undefined) await index.archive(archived);
        const pruned = log.heads[Math.min(cut.prune, cut.archive) - 1];
        if (archived !== undefined && pruned !== undefined) await index.prune(pruned.position);
      }
      expect(sqlite.groups(0, 100)).toEqual(await memory.groups(0, 100));
      for (const each of asked) expect(sqlite.search(each), JSON.stringify(each)).toEqual(await memory.search(each));
    } finally {
      sqlite.close();
    }
  });
  await fc.assert(property, { numRuns: 100 });
});

import { fault } from "@gatehouse/contract";
import type { AuditEntry } from "@gatehouse/contract";
import type { CheckReport } from "@gatehouse/store";
import { expect, test } from "vitest";
import { openAuditCheck } from "./open-audit-check.ts";

const head = { position: 9, link: "ab".repeat(32) };
const whole: CheckReport = { ok: true, floor: { position: 0, link: "" }, head, records: 9 };
const flaw = { file: "logs.db", position: 3, expected: "one thing", found: "another" };

/** A store that answers one check after the other as it is told, and the lines that were logged. */
function start(commit: (entry: AuditEntry) => Promise<{ version: number }> = () => Promise.resolve({ version: 1 })) {
  const answers: PromiseWithResolvers<CheckReport>[] = [];
  const entries: AuditEntry[] = [];
  const lines: string[] = [];
  const line = (text: string) => void lines.push(text);
  let again: () => void = () => undefined;
  let now = 1_000;
  const check = openAuditCheck({
    store: {
      checkAudit: () => {
        const answer = Promise.withResolvers<CheckReport>();
        answers.push(answer);
        return answer.promise;
      },
      commit: (entry) => {
        entries.push(entry);
        return commit(entry);
      },
    },
    clock: { now: () => now },
    log: { info: line, warn: line, error: line },
    every: (_ms, act) => {
      again = act;
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
    again: () => again(),
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
  expect(check.report()).toEqual({ state: "ok", isRunning: false, endedAt: 1_500, last: whole });
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
  expect(lines).toEqual(["stopped"]);
});

import type { JsonObject } from "@gatehouse/base";
import { decodeBase64url, encodeBase64url, readOutcome } from "@gatehouse/channel";
import { hostEnds } from "@gatehouse/contract";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { makeChangeBench, untilIdle, untilRestarted } from "../../test/change-bench.ts";
import { noChanges } from "../../test/no-changes.ts";
import { sampleChange, willingJudge } from "../../test/fake-judge.ts";
import { connectPeer, startHelper } from "../../test/helper-process.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { makeHostIdentity } from "../local/host-key.ts";
import { localLimits } from "../local/local-limits.ts";
import type { JournalNote } from "../safety/journal-note.ts";
import type { Changes } from "../safety/open-changes.ts";

const { task } = sampleChange();
const idOf = (number: number) => `task_${String(number).padStart(26, "0")}`;
const end = { approvalId: "ab".repeat(16), planDigest: "cd".repeat(32), index: 3, code: "", detail: "", foreign: [] };

const noteOf = (seq: number, kind: JournalNote["kind"], more: Partial<JournalNote> = {}): JournalNote => ({
  seq,
  at: 1_000 + seq,
  task: idOf(1),
  kind,
  link: new Uint8Array(32).fill(seq % 256),
  end: kind === "ended" ? { ...end, outcome: "applied" } : undefined,
  ...more,
});

async function startWith(notes: readonly JournalNote[], more: Partial<Changes> = {}) {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  const told: Changes["told"] = async (after) => ({
    open: undefined,
    newest: notes.at(-1)?.seq ?? 0,
    notes: notes.filter(({ seq }) => seq > after),
  });
  const started = await startHelper(host, {}, willingJudge(), { ...noChanges, told, ...more });
  return { host, identity, ...started };
}

test("the journal is told in steps and in outcomes, which the host signs and each time the same", async () => {
  const kinds = [
    "accepted",
    "snapshotted",
    "armed",
    "applying",
    "applied-op",
    "checking",
    "probe",
    "confirmed",
  ] as const;
  const notes = [...kinds.map((kind, at) => noteOf(at + 1, kind)), noteOf(9, "ended")];
  const { ask, identity } = await startWith(notes);
  const told = await ask("journal.read", { after: 0 });
  expect(told).toMatchObject({
    last: 9,
    open: null,
    steps: [
      { seq: 1, task: idOf(1), state: "validated", at: 1_001 },
      { seq: 2, state: "snapshotted" },
      { seq: 3, state: "armed" },
      { seq: 4, state: "applying" },
      { seq: 6, state: "checking" },
    ],
  });
  const [{ seq, signed } = { seq: 0, signed: "" }, ...rest] = told["outcomes"] as { seq: number; signed: string }[];
  expect({ seq, rest }).toEqual({ seq: 9, rest: [] });
  const read = readSigned(decodeBase64url(signed), [64], readOutcome);
  expect(read?.value).toEqual({
    nodeId: identity.nodeId,
    hostKey: identity.publicKey,
    task: idOf(1),
    approvalId: Uint8Array.fromHex(end.approvalId),
    planDigest: Uint8Array.fromHex(end.planDigest),
    index: 3,
    outcome: "applied",
    at: 1_009,
    journalSeq: 9,
    journalLink: new Uint8Array(32).fill(9),
    detail: { code: "", detail: "", foreign: [] },
  });
  const key = loadPublicKey(identity.publicKey, "H");
  expect(read && isSignedBy(key, read.framed, read.signatures[0])).toBe(true);
  expect((await ask("journal.read", { after: 0 }))["outcomes"]).toEqual(told["outcomes"]);
  expect(await ask("journal.read", { after: 9 })).toEqual({ last: 9, open: null, steps: [], outcomes: [] });
  expect(await ask("journal.read", { after: 500 }), "a journal that was begun anew").toMatchObject({ last: 9 });
});

test("a hundred of each in an answer, and whoever asks on from there misses none", async () => {
  const notes = Array.from({ length: 250 }, (_, at) => [
    noteOf(2 * at + 1, "accepted", { task: idOf(at) }),
    noteOf(2 * at + 2, "ended", { task: idOf(at), end: { ...end, outcome: hostEnds[at % 4] ?? "applied" } }),
  ]).flat();
  const { ask } = await startWith(notes);
  const seen: number[] = [];
  let last = 0;
  for (;;) {
    const told = await ask("journal.read", { after: last });
    const [steps, outcomes] = [told["steps"], told["outcomes"]] as { seq: number }[][];
    expect(steps?.length).toBeLessThanOrEqual(100);
    expect(outcomes?.length).toBeLessThanOrEqual(100);
    seen.push(...[...(steps ?? []), ...(outcomes ?? [])].map(({ seq }) => seq));
    if (told["last"] === last) break;
    last = told["last"] as number;
  }
  expect(seen.toSorted((one, other) => one - other)).toEqual(notes.map(({ seq }) => seq));
});

test("the largest outcomes fit into an answer", async () => {
  const foreign = Array.from({ length: 64 }, () => `file:/${"x".repeat(590)}`);
  const large = { ...end, outcome: "rolled_back", code: "x".repeat(64), detail: "y".repeat(1_000), foreign } as const;
  const { ask } = await startWith(Array.from({ length: 100 }, (_, at) => noteOf(at + 1, "ended", { end: large })));
  const told = await ask("journal.read", { after: 0 });
  expect(JSON.stringify(told).length).toBeLessThan(localLimits.answerBytes);
  expect((told["outcomes"] as unknown[]).length).toBe(told["last"]);
});

test("a change that was taken before is taken, and with its outcome once it has ended", async () => {
  const ended = noteOf(9, "ended") as JournalNote & { end: NonNullable<JournalNote["end"]> };
  const found: { now: Awaited<ReturnType<Changes["find"]>> } = { now: { ended: undefined } };
  const { ask } = await startWith([ended], { find: async () => found.now });
  expect(await ask("task.submit", task)).toEqual({ taken: true });
  found.now = { ended };
  const [outcome] = (await ask("journal.read", { after: 0 }))["outcomes"] as { signed: string }[];
  expect(await ask("task.submit", task)).toEqual({ taken: true, outcome: outcome?.signed });
});

test("a change goes over the socket from its acceptance to its signed end", async () => {
  const bench = await makeChangeBench();
  const changes = bench.open();
  const { ask } = await startHelper(bench.host, {}, willingJudge(), changes);
  expect(await ask("probe.get")).toEqual({ probe: "" });
  await changes.begin(bench.judged);
  await untilRestarted(bench);
  const proof = await bench.prove();
  const probe = (await (await bench.openJournal()).look())?.probe ?? "";
  expect(await ask("probe.get")).toEqual({ probe: encodeBase64url(Uint8Array.fromHex(probe)) });
  expect(await ask("journal.read", { after: 0 })).toMatchObject({ open: bench.judged.task, outcomes: [] });
  const wrong = { hello: encodeBase64url(proof.welcome), welcome: encodeBase64url(proof.hello) };
  await expect(ask("probe.proof", wrong)).rejects.toThrow(/^confirm\.proof/);
  const right = { hello: encodeBase64url(proof.hello), welcome: encodeBase64url(proof.welcome) };
  expect(await ask("probe.proof", right)).toEqual({});
  await untilIdle(changes);
  expect(await ask("probe.proof", right)).toEqual({});
  expect(await ask("journal.read", { after: 0 })).toMatchObject({ open: null, last: 10, outcomes: [{ seq: 10 }] });
});

test.each<[string, JsonObject]>([
  ["journal.read", {}],
  ["journal.read", { after: -1 }],
  ["journal.read", { after: 0, limit: 5 }],
  ["probe.get", { probe: "" }],
  ["probe.proof", {}],
  ["probe.proof", { hello: "AA", welcome: "" }],
  ["probe.proof", { hello: "AA", welcome: encodeBase64url(new Uint8Array(17 * 1024)) }],
])("%s with %j is no message of this socket", async (verb, fields) => {
  const { host } = await startWith([]);
  const { send, received, closed } = await connectPeer(host.paths.helperSocket);
  send({ ...fields, v: 1, id: 1, verb });
  expect((await received(1)).map(({ code }) => code)).toEqual(["local.frame"]);
  await closed();
});

test("a helper with a change under way does not end for want of questions", async () => {
  let isBusy = true;
  const { timers, served } = await startWith([], { isBusy: () => isBusy });
  expect(timers.end(localLimits.idleMs)).toBe(1);
  expect(timers.running(), "it waits on").toEqual([localLimits.idleMs]);
  isBusy = false;
  expect(timers.end(localLimits.idleMs)).toBe(1);
  await served.done;
});

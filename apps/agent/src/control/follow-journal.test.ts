import type { JsonObject } from "@gatehouse/base";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { faultyVfs, type FaultyVfs } from "@gatehouse/files/faulty";
import { expect, test } from "vitest";
import { FakeChanges } from "../../test/journal-answers.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { openOutbox } from "../outbox/open-outbox.ts";
import { followMs, openJournalFollower, type ToldStep } from "./follow-journal.ts";
import { openKeptOutcomes } from "./kept-outcomes.ts";
import { readMarks } from "./marks.ts";

const directory = "/state/outbox";
const task = `task_${"0".repeat(26)}`;
const other = `task_${"1".repeat(26)}`;
const step = (state: ToldStep["state"], at = 1, of = task) => ({ step: { task: of, state, at } });

async function start({
  vfs = faultyVfs({ directories: ["/state"] }),
  changes = new FakeChanges(),
  mostBytes = 65_536,
} = {}) {
  const timers = manualTimers();
  const lines: string[] = [];
  const told: ToldStep[] = [];
  const log = (line: string) => void lines.push(line);
  const outbox = await openOutbox({ vfs, directory, log, now: () => 0, mostBytes });
  let news = 0;
  const disk = { isSilent: false };
  const follower = openJournalFollower({
    ask: changes.ask,
    timers,
    random: () => 0.5,
    outbox: {
      after: (...words) => outbox.after(...words),
      cursor: () => (disk.isSilent ? undefined : outbox.cursor()),
      mark: () => (disk.isSilent ? undefined : outbox.mark()),
      setMark: (change) => outbox.setMark(change),
    },
    outcomes: openKeptOutcomes({ outbox, log, kept: () => void (news += 1) }),
    tell: (each) => void told.push(each),
    log,
  });
  const reads = () => changes.asks("journal.read").map(({ after }) => after);
  /** Follows until nothing is under way: what is asked then is the answer that has nothing new. */
  const follow = async () => {
    const before = reads().length;
    follower.follow();
    await settled(before);
  };
  const settled = async (before: number) => {
    let seen = -1;
    await expect.poll(() => reads().length, { interval: 1 }).toBeGreaterThan(before);
    while (seen !== vfs.ops + reads().length) {
      seen = vfs.ops + reads().length;
      for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    }
  };
  const held = async () =>
    (await outbox.after(0, 1_000)).map(({ kind, body }) => [kind, (JSON.parse(body) as { signed?: string }).signed]);
  return { vfs, changes, timers, lines, told, outbox, follower, follow, settled, held, reads, disk, news: () => news };
}

const refusing = (changes: FakeChanges, code: FaultCode) => {
  changes.before = () => Promise.reject(fault(code, "for now"));
};
const outcomes = (...all: string[]) => all.map((signed) => ["outcome", signed]);

test("outcomes are put in order and once; a helper without an open change is not asked again", async () => {
  const { changes, follow, held, reads, timers, outbox, news } = await start({ changes: new FakeChanges(3) });
  changes.add(step("validated"), { signed: "a" }, {}, {}, {}, {}, { signed: "b" }, {});
  await follow();
  expect(await held()).toEqual(outcomes("a", "b"));
  expect(reads()).toEqual([0, 3, 6, 8]);
  expect(readMarks(outbox.mark())).toEqual({ ceiling: undefined, journal: 7 });
  expect(news()).toBe(2);
  expect(timers.running()).toEqual([]);
  await follow();
  expect(await held()).toEqual(outcomes("a", "b"));
  expect(reads()).toEqual([0, 3, 6, 8, 8]);
});

test("while a change is open the helper is asked twice in a second, its newest step is told, and its end ends that", async () => {
  const { changes, follow, held, timers, told, settled, reads } = await start();
  changes.open = task;
  changes.add(step("applying", 1, other), { signed: "before" }, step("validated", 2), step("snapshotted", 3));
  await follow();
  expect(told.at(-1)).toEqual({ task, state: "snapshotted", at: 3 });
  expect(told.some((each) => each.task === other)).toBe(false);
  const tick = async () => {
    const before = reads().length;
    expect(timers.end(followMs)).toBe(1);
    await settled(before);
  };
  await tick();
  expect(reads().slice(-2)).toEqual([4, 4]);
  changes.add(step("armed", 4));
  await tick();
  expect(told.at(-1)).toEqual({ task, state: "armed", at: 4 });
  changes.open = null;
  changes.add({ signed: "after" });
  const before = told.length;
  await tick();
  expect(await held()).toEqual(outcomes("before", "after"));
  expect(told).toHaveLength(before);
  expect(timers.running()).toEqual([]);
});

test("the step of an open change is told again with every look, for a connection that has not heard of it", async () => {
  const { changes, follow, told } = await start();
  changes.open = task;
  changes.add(step("armed"));
  await follow();
  told.splice(0);
  await follow();
  expect(told).toEqual([{ task, state: "armed", at: 1 }]);
});

test("a look that is asked for while one is under way follows it", async () => {
  const { changes, follower, settled, reads, held } = await start();
  const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  changes.before = async () => {
    begun.resolve();
    await answer.promise;
    return undefined;
  };
  follower.follow();
  await begun.promise;
  follower.follow();
  follower.follow();
  expect(reads()).toEqual([0]);
  changes.add({ signed: "a" });
  answer.resolve();
  await settled(2);
  expect(await held()).toEqual(outcomes("a"));
  expect(reads()).toEqual([0, 1, 1]);
});

test.each<FaultCode>(["local.unavailable", "local.limit", "journal.locked"])(
  "a helper that answers %s is asked again after pauses that grow, and that is said once",
  async (code) => {
    const { changes, follow, timers, lines, held, settled, reads } = await start();
    refusing(changes, code);
    await follow();
    expect(timers.running()).toEqual([1_000]);
    const end = async (ms: number) => {
      const before = reads().length;
      expect(timers.end(ms)).toBe(1);
      await settled(before);
    };
    await end(1_000);
    await end(2_000);
    expect(timers.running()).toEqual([4_000]);
    expect(lines).toEqual([`the server is not told about changes: ${code}: for now`]);
    changes.before = async () => undefined;
    changes.add({ signed: "a" });
    await end(4_000);
    expect(await held()).toEqual(outcomes("a"));
    expect(timers.running()).toEqual([]);
    refusing(changes, code);
    await follow();
    expect(timers.running(), "from the beginning").toEqual([1_000]);
    expect(lines).toHaveLength(2);
  },
);

test("a helper that refuses is not asked before there is a reason", async () => {
  const { changes, follow, timers, lines, held } = await start();
  refusing(changes, "journal.unsound");
  await follow();
  await follow();
  expect(timers.running()).toEqual([]);
  expect(lines).toEqual(["the server is not told about changes: journal.unsound: for now"]);
  changes.before = async () => undefined;
  changes.add({ signed: "a" });
  await follow();
  expect(await held()).toEqual(outcomes("a"));
});

test("a helper of an earlier version, which has no journal, is no reason for a word", async () => {
  const { changes, follow, timers, lines } = await start();
  refusing(changes, "local.verb");
  await follow();
  expect([timers.running(), lines]).toEqual([[], []]);
});

const odd: readonly JsonObject[] = [
  {},
  { last: 0, open: null, steps: [] },
  { last: -1, open: null, steps: [], outcomes: [] },
  { last: 0, open: "x", steps: [], outcomes: [] },
  { last: 0, open: null, steps: [], outcomes: [], more: 1 },
  { last: 1, open: null, steps: [{ seq: 1, task, state: "done", at: 1 }], outcomes: [] },
  { last: 1, open: null, steps: [], outcomes: [{ seq: 0, signed: "a" }] },
  { last: 1, open: null, steps: [], outcomes: [{ seq: 1, signed: "a", more: 1 }] },
];

test.each(odd)("%j is no answer: nothing is put, and the helper is asked again later", async (answer) => {
  const { changes, follow, timers, lines, held } = await start();
  changes.before = async () => answer;
  await follow();
  expect(await held()).toEqual([]);
  expect(lines).toEqual([expect.stringContaining("local.unavailable: the helper's answer is no part of a journal")]);
  expect(timers.running()).toEqual([1_000]);
});

test("an outcome that no message can carry is passed over, and holds back none behind it", async () => {
  const { changes, follow, held, lines, outbox } = await start();
  changes.add({ signed: "x".repeat(60_001) }, { signed: "not base64url!" }, { signed: "a" });
  await follow();
  expect(await held()).toEqual(outcomes("a"));
  expect(lines).toHaveLength(2);
  expect(readMarks(outbox.mark()).journal).toBe(3);
});

test("what a full disk does not take is read and put again, and nothing is said to be missing", async () => {
  const { vfs, changes, follow, held, timers, settled, reads, lines, outbox } = await start();
  changes.add({ signed: "a" }, { signed: "b" });
  vfs.failNext("write", 3, "ENOSPC");
  await follow();
  expect(timers.running()).toEqual([1_000]);
  expect(lines.filter((line) => line.startsWith("the server is not told"))).toHaveLength(1);
  for (const ms of [1_000, 2_000, 4_000]) {
    const before = reads().length;
    if (timers.end(ms) === 1) await settled(before);
  }
  expect(await held()).toEqual(outcomes("a", "b"));
  expect(outbox.waiting()).toMatchObject({ records: 2, dropped: 0 });
});

test("an outbox that is full takes the outcome when the server has taken what was before it", async () => {
  const { changes, follow, held, timers, settled, reads, outbox } = await start({ mostBytes: 8_192 });
  while (
    await outbox.put("event", "x".repeat(500)).then(
      () => true,
      () => false,
    )
  );
  changes.add({ signed: "a" });
  await follow();
  expect(await held()).not.toContainEqual(["outcome", "a"]);
  await outbox.ack(outbox.cursor()?.last ?? 0);
  const before = reads().length;
  expect(timers.end(1_000)).toBe(1);
  await settled(before);
  expect(await held()).toContainEqual(["outcome", "a"]);
});

test("a new process reads on where the outbox stands; one without its outbox puts every outcome again", async () => {
  const first = await start();
  first.changes.add({ signed: "a" }, {}, { signed: "b" }, step("validated"));
  await first.follow();
  await first.outbox.close();
  const second = await start({ vfs: first.vfs, changes: first.changes });
  await second.follow();
  expect(second.reads().slice(-2)).toEqual([3, 4]);
  expect(await second.held()).toEqual(outcomes("a", "b"));
  const third = await start({ changes: first.changes });
  await third.follow();
  expect(await third.held()).toEqual(outcomes("a", "b"));
});

test("an outbox that is lost while the process runs gets every outcome again", async () => {
  const { changes, follow, outbox, held, vfs } = await start();
  changes.add({ signed: "a" }, { signed: "b" });
  await follow();
  await damage(vfs);
  expect(await outbox.after(0, 10), "found when it is read").toEqual([]);
  changes.add({ signed: "c" });
  await follow();
  expect((await held()).filter(([kind]) => kind === "outcome")).toEqual(outcomes("a", "b", "c"));
});

async function damage(vfs: FaultyVfs): Promise<void> {
  const file = await vfs.open(`${directory}/records`, "write");
  const size = await file.size();
  await file.write(new Uint8Array(size).fill(1), 0);
  await file.sync();
  await file.close();
}

test("a journal that begins anew is read from its beginning", async () => {
  const { changes, follow, held, lines, outbox } = await start();
  changes.add({}, {}, { signed: "a" });
  await follow();
  changes.beginAnew();
  changes.add({ signed: "b" });
  changes.before = async (_, { after }) =>
    (after as number) > 1 ? { last: 1, open: null, steps: [], outcomes: [] } : undefined;
  await follow();
  expect(await held()).toEqual(outcomes("a", "b"));
  expect(lines).toEqual(["the helper's journal ends at 1, and was read up to 3: it is read from its beginning"]);
  expect(readMarks(outbox.mark()).journal).toBe(1);
});

test("a disk that does not say what is in the outbox is asked again, and the journal is not read from its beginning", async () => {
  const { changes, follow, follower, timers, reads, held, settled, lines, disk } = await start();
  changes.add({ signed: "a" });
  await follow();
  disk.isSilent = true;
  changes.add({ signed: "b" });
  follower.follow();
  await expect.poll(() => timers.running()).toEqual([1_000]);
  expect(reads()).toEqual([0, 1]);
  expect(lines.at(-1)).toContain("the disk does not say what is in the outbox");
  disk.isSilent = false;
  timers.end(1_000);
  await settled(2);
  expect(await held()).toEqual(outcomes("a", "b"));
  expect(reads()).toEqual([0, 1, 1, 2]);
});

test("one that was told to end keeps and tells nothing more", async () => {
  const { changes, follower, timers, held, told, lines, reads, follow } = await start();
  changes.open = task;
  await follow();
  const answer = Promise.withResolvers<void>();
  changes.before = async () => {
    await answer.promise;
    return undefined;
  };
  changes.add(step("armed"), { signed: "a" });
  expect(timers.end(followMs)).toBe(1);
  await expect.poll(() => reads().length).toBe(2);
  follower.end();
  answer.resolve();
  await Promise.resolve();
  follower.follow();
  await expect.poll(() => timers.running()).toEqual([]);
  expect([await held(), told, lines]).toEqual([[], [], []]);
  expect(reads()).toHaveLength(2);
});

import { channelLimits, type ControlFrame, longestCarryMs, readPiece } from "@gatehouse/channel";
import { expect, describe, test } from "vitest";
import { fleetLimits } from "./limits.ts";
import type { PartSource } from "./offered-parts.ts";
import { type OfferedTask, TaskQuestion, transferMs } from "./task-question.ts";

const name = (digit: string) => digit.repeat(64);
const part = (digit: string, size: number) => ({ sha256: name(digit), size });
const large = 512 * 1024 * 1024;
const task: OfferedTask = {
  task: `task_${"0".repeat(26)}`,
  planDigest: name("f"),
  index: 0,
  parts: {
    header: part("a", 4),
    digests: part("b", 32),
    section: part("c", 8),
    approvals: part("d", 2),
    artifacts: [part("e", large)],
  },
};

/** An artifact whose bytes say where they stand, opened and read as the test lets it. */
function plantedSource(size: number) {
  const seen = { opened: 0, closed: 0, reads: 0 };
  let gate: Promise<unknown> = Promise.resolve();
  const source: PartSource = {
    size,
    open: async () => {
      seen.opened += 1;
      await gate;
      return {
        read: async (at, length) => {
          seen.reads += 1;
          await gate;
          // A disk may give less than was asked for.
          return Uint8Array.from({ length: Math.min(length, 3, size - at) }, (_, index) => (at + index) % 256);
        },
        close: () => {
          seen.closed += 1;
          return Promise.resolve();
        },
      };
    },
  };
  return {
    seen,
    source,
    hold: () => {
      const held = Promise.withResolvers<void>();
      gate = held.promise;
      return held;
    },
  };
}

/** The server's end, with a source for the artifact and timers that the test moves. */
function openQuestion(source: PartSource = plantedSource(large).source) {
  const sent: (ControlFrame | Uint8Array)[] = [];
  const timers = new Set<{ ms: number; act: () => void }>();
  const unread: unknown[] = [];
  const tasks = new TaskQuestion({
    send: (data) => sent.push(data),
    queued: () => 0,
    after: (ms, act) => {
      const timer = { ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onUnread: (error) => unread.push(error),
  });
  const word = tasks.offer(
    task,
    new Map<string, Uint8Array | PartSource>([
      [name("a"), Uint8Array.of(1, 2, 3, 4)],
      [name("e"), source],
    ]),
  );
  word.catch(() => undefined);
  const pull = (request: number, offset = 0, length = 4, sha256 = name("e")) =>
    tasks.takePull({ t: "pull", request, sha256, offset, length });
  return { tasks, word, sent, timers, unread, pull };
}

const settled = () => new Promise(setImmediate);
const pieces = (sent: readonly (ControlFrame | Uint8Array)[]) =>
  sent.flatMap((data) => {
    const piece = data instanceof Uint8Array ? readPiece(data) : undefined;
    return piece === undefined ? [] : [[piece.request, piece.offset, ...piece.bytes]];
  });

describe("a part that is read piece by piece", () => {
  test("is opened when the host first asks for it, once, and closed with the host's word", async () => {
    const { seen, source } = plantedSource(large);
    const { tasks, word, sent, pull } = openQuestion(source);
    await settled();
    expect(seen.opened).toBe(0);
    for (const [request, offset] of [
      [1, 0],
      [2, 250],
      [3, large - 4],
    ] as const) {
      pull(request, offset);
    }
    await settled();
    expect(pieces(sent)).toEqual([
      [1, 0, 0, 1, 2, 3],
      [2, 250, 250, 251, 252, 253],
      [3, large - 4, 252, 253, 254, 255],
    ]);
    expect(seen).toMatchObject({ opened: 1, closed: 0 });
    tasks.takeWord({ t: "task-taken", task: task.task });
    await word;
    await settled();
    expect(seen).toMatchObject({ opened: 1, closed: 1 });
  });

  test("keeps the order of the pulls, also of those for parts that are held", async () => {
    const { source, hold } = plantedSource(large);
    const { sent, pull } = openQuestion(source);
    const held = hold();
    pull(1);
    pull(2, 0, 4, name("a"));
    expect(pieces(sent)).toEqual([]);
    held.resolve();
    await settled();
    expect(pieces(sent).map(([request]) => request)).toEqual([1, 2]);
  });

  test("counts as a pull under way while it is read, and only one of them is read", async () => {
    const { seen, source, hold } = plantedSource(large);
    const { pull } = openQuestion(source);
    const held = hold();
    for (const request of [1, 2, 3, 4]) pull(request);
    await settled();
    expect(seen).toMatchObject({ opened: 1, reads: 0 });
    expect(() => pull(5)).toThrow("more than 4 pulls at once");
    held.resolve();
  });

  test("is given as far as it reaches, and what cannot be opened or read is told as missing", async () => {
    const { sent, pull } = openQuestion();
    pull(1, large - 3);
    expect(sent.at(-1)).toEqual({ t: "pull-end", request: 1, reason: "blob.size" });

    const broken: PartSource = { size: 8, open: () => Promise.reject(new Error("no such blob")) };
    const closed = openQuestion(broken);
    closed.pull(1);
    await settled();
    expect(closed.sent.at(-1)).toEqual({ t: "pull-end", request: 1, reason: "artifact.missing" });
    expect(closed.unread).toHaveLength(1);

    const short = plantedSource(2);
    const cut = openQuestion({ ...short.source, size: 8 });
    cut.pull(1);
    await settled();
    expect(cut.sent.at(-1)).toEqual({ t: "pull-end", request: 1, reason: "artifact.missing" });
    cut.tasks.end();
    await settled();
    expect(short.seen).toMatchObject({ opened: 1, closed: 1 });
  });

  test("that could not be opened once is opened when it is asked for again", async () => {
    const { source } = plantedSource(large);
    let isRefused = true;
    const { sent, pull } = openQuestion({
      ...source,
      open: () => (isRefused ? Promise.reject(new Error("too many open files")) : source.open()),
    });
    pull(1);
    await settled();
    expect(sent.at(-1)).toEqual({ t: "pull-end", request: 1, reason: "artifact.missing" });
    isRefused = false;
    pull(2);
    await settled();
    expect(pieces(sent)).toEqual([[2, 0, 0, 1, 2, 3]]);
  });

  test("is closed however the task ends, also while it is being opened or read", async () => {
    const ends = {
      word: ({ tasks }) => tasks.takeWord({ t: "task-refused", task: task.task, code: "state.stale", detail: "so" }),
      connection: ({ tasks }) => tasks.end(),
      silence: ({ timers }) => [...timers].find(({ ms }) => ms === fleetLimits.taskAnswerMs)?.act(),
      time: ({ timers }) => [...timers].find(({ ms }) => ms > fleetLimits.taskAnswerMs)?.act(),
    } satisfies Record<string, (question: ReturnType<typeof openQuestion>) => void>;
    for (const [how, end] of Object.entries(ends)) {
      const { seen, source, hold } = plantedSource(large);
      const question = openQuestion(source);
      const held = hold();
      question.pull(1);
      end(question);
      held.resolve();
      await settled();
      expect(seen, how).toMatchObject({ opened: 1, closed: 1 });
      const told = question.sent.slice(1);
      const isGone = how === "connection";
      expect(told, how).toEqual(isGone ? [] : [{ t: "pull-end", request: 1, reason: "blob.not_wanted" }]);
      expect(question.unread, how).toEqual([]);
      expect(question.timers.size, how).toBe(0);
    }
  });
});

describe("the time of a transfer", () => {
  const silences = (timers: ReadonlySet<{ ms: number }>) =>
    [...timers].filter(({ ms }) => ms === fleetLimits.taskAnswerMs);

  test("begins anew with every pull of a part of the task, and with no other", () => {
    const { timers, pull } = openQuestion();
    const [first] = silences(timers);
    pull(1, 0, 4, name("9"));
    expect(silences(timers)).toEqual([first]);
    pull(2, 0, 4, name("a"));
    const [second, ...more] = silences(timers);
    expect(more).toEqual([]);
    expect(second).not.toBe(first);
  });

  test("has an end by what the parts weigh: 512 MiB at the slowest pace, and minutes for what is small", async () => {
    const { timers, word } = openQuestion();
    const whole = [...timers].find(({ ms }) => ms > fleetLimits.taskAnswerMs);
    expect(whole?.ms).toBe(fleetLimits.taskAnswerMs + longestCarryMs(large + 4));
    // What the wire takes at most at once fits into the pace many times.
    expect(channelLimits.carriedBytesPerSecond).toBeLessThan(channelLimits.pullBytes);
    // The host gives up first, and says so: who stops waiting for it would offer what it is still carrying.
    for (const bytes of [0, 1, large, 64 * large]) expect(transferMs(bytes)).toBeGreaterThan(longestCarryMs(bytes));
    whole?.act();
    await expect(word).rejects.toMatchObject({ code: "plan.node_refused" });
    expect(timers.size).toBe(0);
  });
});

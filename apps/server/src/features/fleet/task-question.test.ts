import { channelLimits, type ControlFrame, readPiece } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { fleetLimits } from "./limits.ts";
import { type OfferedTask, TaskQuestion } from "./task-question.ts";

const name = (digit: string) => digit.repeat(64);
const part = (digit: string, size: number) => ({ sha256: name(digit), size });
const taskOf = (last: string): OfferedTask => ({
  task: `task_${"0".repeat(25)}${last}`,
  planDigest: name("f"),
  index: 0,
  parts: {
    header: part("a", 4),
    digests: part("b", 32),
    section: part("c", 8),
    approvals: part("d", 2),
    artifacts: [],
  },
});
const one = taskOf("1");
const parts = new Map([[name("a"), Uint8Array.of(1, 2, 3, 4)]]);

/** The server's end, with timers and a line that the test moves. */
function openQuestion() {
  const sent: (ControlFrame | Uint8Array)[] = [];
  const timers = new Set<{ ms: number; act: () => void }>();
  const line = { queued: 0 };
  const unread: unknown[] = [];
  const tasks = new TaskQuestion({
    send: (data) => sent.push(data),
    queued: () => line.queued,
    onUnread: (error) => unread.push(error),
    after: (ms, act) => {
      const timer = { ms, act };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  });
  const runTimers = (ms: number) => {
    const due = [...timers].filter((timer) => timer.ms === ms);
    for (const timer of due) if (timers.delete(timer)) timer.act();
  };
  return { tasks, sent, timers, line, unread, runTimers };
}

const pull = (request: number, sha256 = name("a"), offset = 0, length = 4) =>
  ({ t: "pull", request, sha256, offset, length }) as const;
const refusal = (task: string, code = "state.stale", detail = "it has changed") =>
  ({ t: "task-refused", task, code, detail }) as const;

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (isFault(error)) return error.code;
    throw error;
  }
  return "nothing";
}

describe("a task that a host is offered", () => {
  test("is announced by its parts, and ends with the word of the host", async () => {
    const { tasks, sent, timers } = openQuestion();
    const word = tasks.offer(one, parts);
    expect(sent).toEqual([{ t: "task", ...one }]);
    tasks.takeWord(refusal(one.task));
    expect(await word).toEqual({ kind: "refused", code: "state.stale", detail: "it has changed" });
    expect(timers.size).toBe(0);
  });

  test("is the only one: another has to wait for its end", async () => {
    const { tasks } = openQuestion();
    const word = tasks.offer(one, parts);
    expect(codeOf(() => tasks.offer(taskOf("2"), parts))).toBe("plan.node_refused");
    tasks.end();
    await expect(word).rejects.toMatchObject({ code: "plan.node_refused" });
  });

  test("has no word when the connection ends, or the host takes too long", async () => {
    for (const lose of ["end", "time"] as const) {
      const { tasks, runTimers } = openQuestion();
      const word = tasks.offer(one, parts);
      if (lose === "end") tasks.end();
      else runTimers(fleetLimits.taskAnswerMs);
      await expect(word).rejects.toMatchObject({ code: "plan.node_refused" });
    }
  });

  test("keeps only codes that have a name here, and only what can be shown", async () => {
    const { tasks } = openQuestion();
    const known = tasks.offer(one, parts);
    tasks.takeWord(refusal(one.task, "path.parent", "\u001b[31m/etc"));
    expect(await known).toEqual({ kind: "refused", code: "path.parent", detail: "?[31m/etc" });
    for (const code of ["later.code", "constructor"]) {
      const word = tasks.offer(one, parts);
      tasks.takeWord(refusal(one.task, code, "so"));
      expect(await word).toEqual({ kind: "refused", code: "task.malformed", detail: `the host answered ${code}: so` });
    }
  });

  test("may be answered late or twice, and one that was never sent may not", async () => {
    const { tasks, runTimers } = openQuestion();
    expect(codeOf(() => tasks.takeWord(refusal(one.task)))).toBe("frame.unknown");
    const word = tasks.offer(one, parts);
    expect(codeOf(() => tasks.takeWord(refusal(taskOf("2").task)))).toBe("frame.unknown");
    runTimers(fleetLimits.taskAnswerMs);
    await expect(word).rejects.toThrow();
    tasks.takeWord(refusal(one.task));
    tasks.takeWord(refusal(one.task));
    const again = tasks.offer(one, parts);
    tasks.takeWord(refusal(one.task, "use.spent"));
    expect(await again).toMatchObject({ code: "use.spent" });
  });
});

describe("a task that a host has begun", () => {
  test("is said to be taken, once; its parts are not handed out any more", async () => {
    const { tasks, sent, timers } = openQuestion();
    const word = tasks.offer(one, parts);
    tasks.takeWord({ t: "task-taken", task: one.task });
    expect(await word).toEqual({ kind: "taken" });
    expect(timers.size).toBe(0);
    tasks.takePull(pull(1));
    expect(sent.at(-1)).toMatchObject({ t: "pull-end", reason: "blob.not_wanted" });
    tasks.takeWord({ t: "task-taken", task: one.task });
    tasks.takeWord(refusal(one.task));
  });

  test("leaves room for the next one", async () => {
    const { tasks } = openQuestion();
    const word = tasks.offer(one, parts);
    tasks.takeWord({ t: "task-taken", task: one.task });
    await word;
    const next = tasks.offer(taskOf("2"), parts);
    tasks.takeWord(refusal(taskOf("2").task, "slot.busy"));
    expect(await next).toMatchObject({ code: "slot.busy" });
  });

  test("may be said to be taken late, and one that was never sent may not", async () => {
    const { tasks, runTimers } = openQuestion();
    expect(codeOf(() => tasks.takeWord({ t: "task-taken", task: one.task }))).toBe("frame.unknown");
    const word = tasks.offer(one, parts);
    runTimers(fleetLimits.taskAnswerMs);
    await expect(word).rejects.toThrow();
    tasks.takeWord({ t: "task-taken", task: one.task });
  });
});

describe("parts of a task", () => {
  test("are given exactly as far as they were asked for", () => {
    const { tasks, sent } = openQuestion();
    void tasks.offer(one, parts);
    tasks.takePull(pull(7, name("a"), 1, 2));
    const piece = readPiece(sent[1] as Uint8Array);
    expect(piece).toMatchObject({ request: 7, offset: 1 });
    expect([...(piece?.bytes ?? [])]).toEqual([2, 3]);
    tasks.takePull(pull(8, name("a"), 2, 3));
    tasks.takePull(pull(9, name("a"), 4, 1));
    expect(sent.slice(2)).toEqual([
      { t: "pull-end", request: 8, reason: "blob.size" },
      { t: "pull-end", request: 9, reason: "blob.size" },
    ]);
  });

  test("are given of the task under way alone", () => {
    const { tasks, sent } = openQuestion();
    tasks.takePull(pull(1));
    void tasks.offer(one, parts);
    tasks.takePull(pull(2, name("e")));
    tasks.takeWord(refusal(one.task));
    tasks.takePull(pull(3));
    expect(sent.filter((data) => !(data instanceof Uint8Array) && data.t === "pull-end")).toEqual(
      [1, 2, 3].map((request) => ({ t: "pull-end", request, reason: "blob.not_wanted" })),
    );
  });

  test("wait while the host has not taken what was sent, and four of them at most", () => {
    const { tasks, sent, line, runTimers, timers } = openQuestion();
    void tasks.offer(one, parts).catch(() => undefined);
    line.queued = channelLimits.pullBytes;
    for (const request of [1, 2, 3, 4]) tasks.takePull(pull(request));
    expect(sent).toHaveLength(1);
    expect(codeOf(() => tasks.takePull(pull(5)))).toBe("frame.rate");
    runTimers(fleetLimits.pullPauseMs);
    expect(sent).toHaveLength(1);
    line.queued = 0;
    runTimers(fleetLimits.pullPauseMs);
    expect(sent.slice(1).map((data) => readPiece(data as Uint8Array)?.request)).toEqual([1, 2, 3, 4]);
    line.queued = channelLimits.pullBytes;
    tasks.takePull(pull(6));
    tasks.end();
    expect(timers.size).toBe(0);
  });
});

import { hostEnds, taskStates, taskSteps } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { sampleTask } from "./sample-plan.ts";
import {
  afterTask,
  sayEnded,
  countTasks,
  isArmed,
  isTaskEnd,
  isUnproven,
  sayHostAfter,
  sayTask,
  sayUnsent,
  sayTold,
  todoOf,
  trackOf,
  whyTask,
} from "./task-words.ts";

test("every state has a shape and a word, and no two words are equal", () => {
  const words = taskStates.map((state) => sayTask({ state, code: null }).word);
  expect(new Set(words).size).toBe(taskStates.length);
});

test("a host that found nothing wrong is not called one that refused", () => {
  const absent = sampleTask({ state: "refused", code: "apply.absent" });
  expect(sayTask(absent)).toEqual({ state: "quiet", word: "Nothing wrong" });
  expect(whyTask(absent)).toBe("The host has found nothing wrong, and cannot make such a change yet.");
  expect(todoOf(absent)).toBeUndefined();
});

test("a code is said by its title and what to do, and one of a newer server as it is", () => {
  const unit = sampleTask({ state: "refused", code: "ceiling.unit" });
  expect(whyTask(unit)).toBe("The host's ceiling does not name that unit.");
  expect(todoOf(unit)).toMatch(/gatehouse-agent ceiling set/);
  const wireguard = sampleTask({ state: "refused", code: "wireguard.absent" });
  expect(whyTask(wireguard)).toMatch(/neither WireGuard in its kernel nor wireguard-go/);
  expect(todoOf(wireguard)).toMatch(/^Install wireguard-tools/);
  const newer = sampleTask({ state: "refused", code: "moon.phase" });
  expect([whyTask(newer), todoOf(newer)]).toEqual(["moon.phase", undefined]);
});

test("what has not ended says what it waits for", () => {
  expect(whyTask(sampleTask({ state: "queued" }))).toMatch(/when the host is connected/);
  expect(whyTask(sampleTask({ state: "sent" }))).toBe("No answer yet.");
  expect(whyTask(sampleTask({ state: "checking" }))).toMatch(/not kept yet/);
});

test("hosts are counted by what they answered, in the order of the states", () => {
  const tasks = [
    sampleTask({ state: "stale", code: "state.stale" }),
    sampleTask({ state: "refused", code: "apply.absent" }),
    sampleTask({ state: "refused", code: "ceiling.unit" }),
    sampleTask({ state: "refused", code: "apply.absent" }),
    sampleTask({ state: "sent" }),
  ];
  expect(countTasks(tasks)).toBe("1 sent, 2 nothing wrong, 1 refused, 1 stale");
  expect(countTasks(tasks.toReversed())).toBe("1 sent, 2 nothing wrong, 1 refused, 1 stale");
});

test.each([
  [null, "Nothing was changed on any host."],
  [{ applied: 12 }, "12 of 12 confirmed."],
  [{ applied: 10, rolled_back: 1, refused: 1 }, "10 of 12 confirmed. 2 hosts unchanged: 1 rolled back, 1 refused."],
  [{ stale: 1, refused: 1_200, applied: 0 }, "0 of 1,201 confirmed. No host was changed. 1,200 refused, 1 stale."],
  [{ applied: 1, failed_after_change: 1 }, "1 of 2 confirmed. 1 host failed after the change: look there now."],
  [
    { refused: 1, unknown: 2 },
    "0 of 3 confirmed. 1 host unchanged: 1 refused. 2 hosts did not say: new or old, never half.",
  ],
])("an ended plan says what is true of its hosts and is never called a success (%j)", (ended, says) => {
  expect(sayEnded(ended)).toBe(says);
});

test("a host that is not heard of may still answer", () => {
  expect(taskStates.filter(isTaskEnd)).toEqual([
    "applied",
    "rolled_back",
    "failed_before_change",
    "failed_after_change",
    "refused",
    "stale",
  ]);
});

const at = "2026-11-17T04:01:13.000Z";

test("a host in the middle of a change is told by its last step, and by nothing once it has ended", () => {
  const armed = sampleTask({ state: "sent", step: { state: "armed", at, armedAt: at } });
  expect(sayTask(armed)).toEqual({ state: "run", word: "Armed" });
  expect(whyTask(armed)).toMatch(/timer outside the agent/);
  expect(countTasks([armed, sampleTask({ state: "sent" })])).toBe("1 sent, 1 armed");
  expect(sayTask({ ...armed, state: "rolled_back", outcome: "AAAA" }).word).toBe("Rolled back");
  const steps = taskSteps.filter((state) => isArmed(sampleTask({ state: "sent", step: { state, at, armedAt: null } })));
  expect(steps).toEqual(["armed", "applying", "checking"]);
});

test("the track has every step and the end it leads to, and only one of them is under way", () => {
  for (const [now, state] of taskSteps.entries()) {
    const track = trackOf(sampleTask({ state: "sent", step: { state, at, armedAt: null } })) ?? [];
    expect(track.map((step) => step.state)).toEqual(
      Array.from({ length: 6 }, (_none, place) => (place < now ? "ok" : place === now ? "run" : "idle")),
    );
    expect(track.findIndex(({ isNow }) => isNow)).toBe(now);
  }
  expect(trackOf(sampleTask({ state: "sent" }))).toBeUndefined();
  expect(trackOf(sampleTask({ state: "applied", step: { state: "checking", at, armedAt: null } }))).toBeUndefined();
});

test("each end of a host says what the host is like now, and one without a signature is unproven", () => {
  expect(hostEnds.map((state) => afterTask({ state, outcome: "AAAA", code: "apply.failed" }))).toEqual([
    undefined,
    "The host is as it was.",
    "Nothing was changed: the host is as it was.",
    "Look at this host now: it was changed and is not wholly restored.",
  ]);
  const down = { state: "failed_after_change", outcome: "AAAA", code: "service.down" } as const;
  expect(afterTask(down)).toBe("Look at this host now: everything was put back, and a service that ran is down.");
  expect(afterTask({ state: "refused", outcome: null, code: "ceiling.off" })).toBeUndefined();
  expect(afterTask({ state: "rolled_back", outcome: null, code: "confirm.late" })).toBeUndefined();
  expect(hostEnds.map((state) => isUnproven({ state, outcome: null }))).toEqual([true, true, true, true]);
  expect(isUnproven({ state: "applied", outcome: "AAAA" })).toBe(false);
  expect(isUnproven({ state: "refused", outcome: null })).toBe(false);
  expect(whyTask(sampleTask({ state: "applied" }))).toMatch(/do not go by it/);
  expect(sayTask(sampleTask({ state: "applied" }))).toEqual({ state: "warn", word: "Confirmed, unproven" });
});

test("why a host rolled back is said in plain words", () => {
  const late = sampleTask({ state: "rolled_back", code: "confirm.late", outcome: "AAAA" });
  expect(whyTask(late)).toBe("Nobody had proved in time that the host reaches its server.");
  expect(todoOf(late)).toMatch(/Look at what the change closes/);
});

test("what was read is counted, and why nothing could be is said", () => {
  expect(sayTold({ operation: 2, lines: ["ready"] })).toBe("Operation 3 read 1 line.");
  expect(sayTold({ operation: 0, lines: [] })).toBe("Operation 1 read 0 lines.");
  expect(sayTold({ operation: 0, lines: [], code: "path.symlink" })).toBe(
    "Operation 1 read nothing: a path on the host leads over a link.",
  );
  expect(sayTold({ operation: 0, lines: [], code: "later" })).toBe("Operation 1 read nothing: later.");
});

test("a host that was sent nothing waits for its wave, and is as it was once the plan is halted", () => {
  expect(sayUnsent(false)).toMatchObject({ word: "Queued", why: expect.stringMatching(/when its wave is open/) });
  expect(sayUnsent(true)).toMatchObject({ word: "Not sent", why: expect.stringMatching(/as it was/) });
});

test("a few words say what a host is like without the change", () => {
  expect((["rolled_back", "stale", "unknown", "failed_after_change"] as const).map(sayHostAfter)).toEqual([
    "as it was",
    "as it was",
    "new or old, never half",
    "changed, not wholly restored",
  ]);
});

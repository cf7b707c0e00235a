import { setImmediate as turn } from "node:timers/promises";
import { manualClock } from "@gatehouse/base";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { describe, expect, test } from "vitest";
import { openLog } from "../../platform/log/index.ts";
import { openKnownPlaces } from "./known-places.ts";
import { geoLimits } from "./limits.ts";
import { openLookup } from "./open-lookup.ts";
import type { LookupAnswer } from "./read-answer.ts";

const found: LookupAnswer = { kind: "found", place: { latitude: 52.52, longitude: 13.405, label: "Berlin" } };
const failed: LookupAnswer = { kind: "failed", reason: "it answered with status 503" };

/** A lookup whose service answers when the test says so, and whose timers the test runs. */
function rig(options: { readonly isStillWanted?: (address: string) => boolean } = {}) {
  const clock = manualClock();
  const telemetry = memoryTelemetry({ clock });
  const timers = new Set<{ at: number; act: () => void }>();
  const questions: { address: string; signal: AbortSignal; answer: (answer: LookupAnswer) => void }[] = [];
  const logLines: string[] = [];
  const open = () =>
    openLookup({
      ask: (address, signal) => new Promise((answer) => questions.push({ address, signal, answer })),
      places: openKnownPlaces({ telemetry, service: "geo.example.test", now: () => clock.now() }),
      isStillWanted: (address) => Promise.resolve(options.isStillWanted?.(address) ?? true),
      clock,
      log: openLog({ format: "text", write: (line) => logLines.push(line) }),
      after: (ms, act) => {
        const timer = { at: clock.monotonic() + ms, act };
        timers.add(timer);
        return () => timers.delete(timer);
      },
    });
  const settle = async () => {
    for (let n = 0; n < 5; n += 1) await turn();
  };
  const pass = async (ms: number) => {
    clock.advance(ms);
    for (const timer of timers) {
      if (timer.at > clock.monotonic()) continue;
      timers.delete(timer);
      timer.act();
    }
    await settle();
  };
  /** Answers the question that is open, and says what it was for. */
  const answer = async (given: LookupAnswer) => {
    const question = questions.at(-1);
    question?.answer(given);
    await settle();
    return question?.address;
  };
  const lookup = open();
  const want = async (...addresses: string[]) => {
    for (const address of addresses) lookup.want(address, "node_1");
    await settle();
  };
  return { clock, lookup, open, questions, timers, logLines, want, pass, answer, settle };
}

describe("questions", () => {
  test("are asked one at a time, in their order, with a distance, and end when nothing is wanted", async () => {
    const { lookup, questions, timers, want, pass, answer } = rig();
    await want("1.1.1.1", "8.8.8.8", "1.1.1.1");
    expect([questions.length, lookup.waiting(), timers.size]).toEqual([1, 2, 0]);
    expect(await answer(found)).toBe("1.1.1.1");
    await pass(geoLimits.distanceMs - 1);
    expect(questions).toHaveLength(1);
    await pass(1);
    expect(await answer({ kind: "unfound" })).toBe("8.8.8.8");
    await pass(geoLimits.distanceMs);
    expect([questions.length, lookup.waiting(), timers.size, lookup.asked()]).toEqual([2, 0, 0, 2]);
  });

  test("are not asked again for what is known, after a restart neither, until it is too old", async () => {
    const { lookup, open, questions, want, pass, answer, settle } = rig();
    await want("1.1.1.1");
    await answer(found);
    await pass(geoLimits.distanceMs);
    await want("8.8.8.8");
    await answer({ kind: "unfound" });
    await lookup.close();
    const again = open();
    const wantAgain = async () => {
      for (const address of ["1.1.1.1", "8.8.8.8"]) again.want(address, "node_1");
      await settle();
      return again.waiting();
    };
    expect([await wantAgain(), questions.length]).toEqual([0, 2]);
    await pass(geoLimits.unfoundMs + 1);
    expect([await wantAgain(), questions.at(-1)?.address]).toEqual([1, "8.8.8.8"]);
    await answer({ kind: "unfound" });
    await pass(geoLimits.foundMs);
    await wantAgain();
    expect(questions.at(-1)?.address).toBe("1.1.1.1");
  });

  test("are not asked for an address for which nobody has looked any more", async () => {
    const { questions, want, pass, answer, lookup } = rig();
    await want("1.1.1.1", "8.8.8.8", "9.9.9.9");
    await pass(geoLimits.wantMs);
    await want("9.9.9.9");
    await pass(1);
    await answer(found);
    await pass(geoLimits.distanceMs);
    expect([questions.length, questions.at(-1)?.address, lookup.waiting()]).toEqual([2, "9.9.9.9", 1]);
  });

  test("are not asked for a node that was given a place, or another address, while it waited", async () => {
    const moved = new Set<string>();
    const { questions, want, pass, answer, lookup } = rig({ isStillWanted: (address) => !moved.has(address) });
    await want("1.1.1.1", "8.8.8.8", "9.9.9.9");
    moved.add("8.8.8.8");
    await answer(found);
    await pass(geoLimits.distanceMs);
    expect(questions.map(({ address }) => address)).toEqual(["1.1.1.1", "9.9.9.9"]);
    expect(lookup.asked()).toBe(2);
  });

  test("that wait are bounded", async () => {
    const { lookup, want } = rig();
    await want(...Array.from({ length: geoLimits.wanted + 10 }, (_, n) => `9.${n >> 16}.${(n >> 8) & 255}.${n & 255}`));
    expect(lookup.waiting()).toBe(geoLimits.wanted);
  });
});

describe("after a failure", () => {
  test("the service is left alone for longer each time, and an answer ends that", async () => {
    const { lookup, questions, want, pass, answer, logLines } = rig();
    await want("1.1.1.1", "8.8.8.8", "9.9.9.9", "9.9.9.10");
    await answer(failed);
    expect([lookup.trouble(), lookup.answeredAt(), lookup.hasFailed("1.1.1.1")]).toEqual([failed.reason, null, true]);
    await pass(geoLimits.pauseMs - 1);
    expect(questions).toHaveLength(1);
    await pass(1);
    await answer(failed);
    await pass(2 * geoLimits.pauseMs - 1);
    expect(questions).toHaveLength(2);
    await pass(1);
    await answer(found);
    await pass(geoLimits.distanceMs);
    expect(questions).toHaveLength(4);
    expect([lookup.trouble(), lookup.failures(), lookup.asked()]).toEqual([null, 2, 4]);
    expect(logLines.filter((line) => line.includes("did not answer"))).toHaveLength(1);
  });

  test("an address is left alone too, and is failed until it was answered", async () => {
    const { lookup, questions, want, pass, answer } = rig();
    await want("1.1.1.1");
    await answer(failed);
    await pass(geoLimits.leaveMs - 1);
    await want("1.1.1.1");
    expect([questions.length, lookup.waiting()]).toEqual([1, 0]);
    await pass(1);
    await want("1.1.1.1");
    expect([questions.length, lookup.hasFailed("1.1.1.1")]).toEqual([2, true]);
    await answer(found);
    expect(lookup.hasFailed("1.1.1.1")).toBe(false);
  });

  test("what the service says about coming back is heard", async () => {
    const { questions, want, pass, answer } = rig();
    await want("1.1.1.1", "8.8.8.8");
    await answer({ ...failed, retryAfterMs: 60_000 });
    await pass(59_999);
    expect(questions).toHaveLength(1);
    await pass(1);
    expect(questions).toHaveLength(2);
  });
});

test("closing gives up the question that is open, and nothing is asked or kept behind it", async () => {
  const { lookup, questions, timers, want, answer, pass } = rig();
  await want("1.1.1.1", "8.8.8.8");
  const closed = lookup.close();
  expect(questions[0]?.signal.aborted).toBe(true);
  await answer(failed);
  await closed;
  await want("9.9.9.9");
  await pass(geoLimits.mostPauseMs);
  expect([questions.length, timers.size, lookup.waiting(), lookup.failures()]).toEqual([1, 0, 0, 0]);
});

test("an answer that the disk does not take is remembered meanwhile", async () => {
  const places = openKnownPlaces({
    telemetry: { keepPlace: () => Promise.resolve(false), placesOf: () => Promise.resolve(new Map()) },
    service: "geo.example.test",
    now: () => 0,
  });
  await places.keep("1.1.1.1", null);
  await places.keep("8.8.8.8", { latitude: 1, longitude: 2, label: null });
  expect(await places.find(["1.1.1.1", "8.8.8.8", "9.9.9.9"])).toEqual(
    new Map([
      ["1.1.1.1", null],
      ["8.8.8.8", { latitude: 1, longitude: 2, label: null }],
    ]),
  );
});

test("a row that is no place, because somebody has edited the file, is not known", async () => {
  const edited = {
    address: "1.1.1.1",
    service: "geo.example.test",
    at: 0,
    place: { latitude: 999, longitude: 0, label: null },
  };
  const places = openKnownPlaces({
    telemetry: {
      keepPlace: () => Promise.resolve(true),
      placesOf: () => Promise.resolve(new Map([["1.1.1.1", edited]])),
    },
    service: "geo.example.test",
    now: () => 0,
  });
  expect(await places.find(["1.1.1.1"])).toEqual(new Map());
});

import { manualClock } from "@gatehouse/base";
import type { FrameOf } from "@gatehouse/channel";
import type { LogBatch } from "@gatehouse/store/telemetry";
import { expect, test } from "vitest";
import { LogsEnd } from "./logs-end.ts";
import { openLogsPace } from "./logs-pace.ts";

const budget = { linesPerSecond: 200, behindSeconds: 300 };

/** A server over whose clock nobody waits: waiting moves it. */
function rig() {
  const clock = manualClock();
  const pace = openLogsPace(clock, budget);
  const [put, waited, acks]: [LogBatch[], number[], FrameOf<"logs-ack">[]] = [[], [], []];
  const state = { isKept: true };
  const connect = (isOpen: () => boolean = () => true) =>
    new LogsEnd({
      nodeId: "node_1",
      kept: {
        put: async (batch) => {
          put.push(batch);
          return state.isKept;
        },
        checkpoint: async () => undefined,
      },
      budget,
      pace,
      now: () => clock.now(),
      send: (frame) => {
        if (frame.t === "logs-ack") acks.push(frame);
      },
      later: async (ms) => {
        waited.push(ms);
        clock.advance(ms);
      },
      isOpen,
    });
  return { clock, pace, put, waited, acks, state, connect };
}

const messageOf = (seq: number, lines: number, notes = 0): FrameOf<"logs"> => ({
  t: "logs",
  seq,
  at: 0,
  sources: ["nginx.service"],
  lines: Array.from({ length: lines }, () => ({ s: 0, at: 0, level: 6, text: "a" })),
  dropped: Array.from({ length: notes }, () => ({ s: 0, lines: 1, from: 0, to: 0 })),
  checkpoint: "here",
});

test("notes count as lines do, and a message with nothing as one", async () => {
  const { connect, waited, acks } = rig();
  const end = connect();
  for (const [n, [lines, notes]] of [
    [200, 0],
    [40, 10],
    [0, 16],
    [0, 0],
  ].entries()) {
    await end.take(messageOf(n + 1, lines ?? 0, notes));
  }
  expect(waited).toEqual([1_000, 250, 80, 5]);
  expect(acks.every(({ kept, pauseMs }) => kept && pauseMs === 0)).toBe(true);
});

test("what was not kept has cost as much, and is to come again later", async () => {
  const { connect, waited, acks, state } = rig();
  state.isKept = false;
  await connect().take(messageOf(1, 100));
  expect(waited).toEqual([500]);
  expect(acks).toEqual([{ t: "logs-ack", seq: 1, kept: false, pauseMs: 60_000 }]);
});

test("a new connection owes what the one before has sent", async () => {
  const { connect, pace, waited, put } = rig();
  pace.count("node_1", 150);
  pace.count("node_2", 7_000);
  await connect().take(messageOf(1, 10));
  expect(waited).toEqual([750, 50]);
  expect(put).toHaveLength(1);
});

test("a connection that ends while it waits has kept nothing, and owes nothing for it", async () => {
  const { connect, pace, waited, put, acks } = rig();
  pace.count("node_1", 200);
  const gone = connect(() => waited.length === 0);
  await gone.take(messageOf(1, 200));
  expect([put, acks, waited, pace.owedBy("node_1")]).toEqual([[], [], [1_000], 0]);
});

test("what a message takes on its way is made up for: a host below its budget is never held up, and no more than two seconds are saved", () => {
  const { clock, pace } = rig();
  clock.advance(60_000);
  for (let second = 0; second < 600; second += 1) {
    pace.count("node_1", 190);
    expect(pace.owedBy("node_1")).toBe(0);
    clock.advance(1_000);
  }
  pace.count("node_2", 200);
  clock.advance(3_600_000);
  pace.count("node_2", 600);
  expect(pace.owedBy("node_2")).toBe(1_000);
});

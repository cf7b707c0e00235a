import { manualClock } from "@gatehouse/base";
import type { FrameOf } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { fleetLimits } from "./limits.ts";
import { openOutboxEnd } from "./outbox-end.ts";
import { openOutboxPace } from "./outbox-pace.ts";

const { eventBurst, eventPauseMs } = fleetLimits;

test("a node has its burst, then one message in so long; another node has its own", () => {
  const clock = manualClock();
  const pace = openOutboxPace(clock);
  const pauses = Array.from({ length: eventBurst + 2 }, () => pace.pauseOf("node_1"));
  expect(pauses).toEqual([...Array.from({ length: eventBurst }, () => 0), eventPauseMs, eventPauseMs]);
  expect(pace.pauseOf("node_2")).toBe(0);
  clock.advance(eventPauseMs);
  expect(pace.pauseOf("node_1")).toBe(eventPauseMs);
  clock.advance(2 * eventPauseMs);
  expect([pace.pauseOf("node_1"), pace.pauseOf("node_1")]).toEqual([0, eventPauseMs]);
  clock.advance((eventBurst + 1) * eventPauseMs);
  expect(Array.from({ length: eventBurst }, () => pace.pauseOf("node_1")).every((pause) => pause === 0)).toBe(true);
});

test("a connection that ends gives a node no second burst", async () => {
  const pace = openOutboxPace(manualClock());
  const [kept, waited]: [number[], number[]] = [[], []];
  const connect = () =>
    openOutboxEnd({
      acked: kept.length,
      take: async ({ seq }) => void kept.push(seq),
      acknowledge: () => undefined,
      pause: () => pace.pauseOf("node_1"),
      later: async (ms) => void waited.push(ms),
      isOpen: () => true,
    });
  const out = (seq: number): FrameOf<"out"> => ({ t: "out", seq, kind: "event", body: {} });
  const first = connect();
  for (let seq = 1; seq <= eventBurst; seq += 1) await first.take(out(seq));
  expect(waited).toEqual([]);
  await connect().take(out(eventBurst + 1));
  expect(waited).toEqual([eventPauseMs]);
  expect(kept).toHaveLength(eventBurst + 1);
});

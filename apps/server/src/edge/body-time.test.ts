import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { BodyTime } from "./body-time.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function openTime() {
  const req = Object.assign(new EventEmitter(), { complete: false, destroyed: false });
  const late = { times: 0 };
  const time = new BodyTime(req as unknown as IncomingMessage, () => {
    late.times += 1;
  });
  return { req, time, late };
}

test("a body that is not here in time is late, once", () => {
  const { time, late } = openTime();
  time.begin(1_000);
  vi.advanceTimersByTime(999);
  expect(late.times).toBe(0);
  vi.advanceTimersByTime(60_000);
  expect(late.times).toBe(1);
});

test("each wait takes the place of the one before, and none counts while the server is at work", () => {
  const { time, late } = openTime();
  time.begin(1_000);
  vi.advanceTimersByTime(900);
  time.begin(1_000);
  vi.advanceTimersByTime(900);
  time.pause();
  vi.advanceTimersByTime(60_000);
  expect(late.times).toBe(0);
});

test("a body that is all here, or whose request is over, is never late", () => {
  const whole = openTime();
  whole.time.begin(1_000);
  whole.req.complete = true;
  const over = openTime();
  over.time.begin(1_000);
  over.req.emit("close");
  const gone = openTime();
  gone.req.destroyed = true;
  gone.time.begin(1_000);
  vi.advanceTimersByTime(60_000);
  expect([whole, over, gone].map(({ late }) => late.times)).toEqual([0, 0, 0]);
});

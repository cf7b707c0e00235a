import { afterEach, expect, test, vi } from "vitest";
import { type TimedCall, tellCall } from "./perf.ts";

const debug = vi.spyOn(console, "debug").mockReturnValue(undefined);
const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
afterEach(() => vi.clearAllMocks());

const call = (ms: number): TimedCall => ({
  name: "GET /api/audit",
  ms,
  status: 200,
  at: "2026-11-15T00:00:00.000Z",
  requestId: "req_1",
});

test("contract 5.2: a quick call is told at debug level and not kept", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  tellCall(call(999), place);
  expect(debug).toHaveBeenCalledWith("GET /api/audit 200 999 ms");
  expect(warn).not.toHaveBeenCalled();
  expect(place.__latticePerf).toBeUndefined();
});

test("contract 5.2: a slow call is a warning, and the last fifty are kept", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  for (let ms = 1_000; ms < 1_060; ms += 1) tellCall(call(ms), place);
  expect(warn).toHaveBeenCalledTimes(60);
  expect(place.__latticePerf?.map(({ ms }) => ms)).toEqual(Array.from({ length: 50 }, (_, at) => 1_010 + at));
});

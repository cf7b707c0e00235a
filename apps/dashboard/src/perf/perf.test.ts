import { afterEach, expect, test, vi } from "vitest";
import { beginCalls, type TimedCall, tellCall } from "./perf.ts";

const debug = vi.spyOn(console, "debug").mockReturnValue(undefined);
const warn = vi.spyOn(console, "warn").mockReturnValue(undefined);
afterEach(() => vi.clearAllMocks());

const call = (ms: number, status = 200): TimedCall => ({
  name: "GET /api/audit",
  ms,
  status,
  at: "2026-11-15T00:00:00.000Z",
  requestId: "req_1",
});

test("contract 5.2: the slow calls are an array before there is one", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  beginCalls(place);
  expect(place.__latticePerf).toEqual([]);
  tellCall(call(1_000), place);
  // Another script of the page may begin again; nothing is lost by it.
  beginCalls(place);
  expect(place.__latticePerf).toHaveLength(1);
});

test("contract 5.2: a call without an answer is told, and kept when it was slow", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  beginCalls(place);
  tellCall(call(20, 0), place);
  expect(debug).toHaveBeenCalledWith("GET /api/audit no answer 20 ms");
  tellCall(call(30_000, 0), place);
  expect(warn).toHaveBeenCalledWith("slow: GET /api/audit no answer 30000 ms", "req_1");
  expect(place.__latticePerf?.map(({ status }) => status)).toEqual([0]);
});

test("contract 5.2: a quick call is told at debug level and not kept", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  beginCalls(place);
  tellCall(call(999), place);
  expect(debug).toHaveBeenCalledWith("GET /api/audit 200 999 ms");
  expect(warn).not.toHaveBeenCalled();
  expect(place.__latticePerf).toEqual([]);
});

test("contract 5.2: a slow call is a warning, and the last fifty are kept", () => {
  const place: { __latticePerf?: TimedCall[] } = {};
  for (let ms = 1_000; ms < 1_060; ms += 1) tellCall(call(ms), place);
  expect(warn).toHaveBeenCalledTimes(60);
  expect(place.__latticePerf?.map(({ ms }) => ms)).toEqual(Array.from({ length: 50 }, (_, at) => 1_010 + at));
});

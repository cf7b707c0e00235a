import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { untilLoaded } from "./until-loaded.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a part that does not come is asked for again, after longer and longer pauses, until it comes", async () => {
  const load = vi.fn<() => Promise<string>>();
  for (let times = 0; times < 8; times += 1) load.mockRejectedValueOnce(new Error("nobody there"));
  load.mockResolvedValueOnce("the part");
  const loaded = untilLoaded(load);
  await vi.advanceTimersByTimeAsync(999);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(load).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000 + 4_000 + 8_000 + 16_000 + 32_000 + 60_000);
  expect(load).toHaveBeenCalledTimes(8);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(await loaded).toBe("the part");
});

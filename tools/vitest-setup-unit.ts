import { afterAll, afterEach, expect } from "vitest";
import { watchStarts } from "./watch-starts.ts";

// Before every file of the project `unit`: a test that starts a process belongs to the other project, and is told so.
const starts = watchStarts();
afterEach(() => {
  expect(starts.take(), "a unit test starts nothing it waits for: list its file in vitest.config.ts").toEqual([]);
});
afterAll(() => starts.close());

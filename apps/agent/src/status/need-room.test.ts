import { join } from "node:path";
import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { needRoom } from "./need-room.ts";

test("a directory with room says how much; one that is not there says nothing", () => {
  expect(needRoom(tmpdir())).toBeGreaterThan(0);
  expect(needRoom(join(tmpdir(), "gatehouse-not-there"))).toBeUndefined();
});

test("one that takes nothing is refused by name", () => {
  // No file can be made there, and it says so as a full disk does.
  expect(() => needRoom("/proc")).toThrow(/^outbox\.unwritable: .*\/proc/);
});

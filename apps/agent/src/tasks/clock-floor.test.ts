import { readFileSync, writeFileSync, mkdirSync, chmodSync } from "node:fs";
import { dirname } from "node:path";
import { expect, test } from "vitest";
import { hastyVfs as vfs } from "../../test/hasty-vfs.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { checkClock, type ClockFloor, findClockFloor, floorNow, isFloorDue, putClockFloor } from "./clock-floor.ts";
import { resetClock } from "./reset-clock.ts";

const madeAt = Date.UTC(2026, 0, 1);
const minute = 60_000;
const boot = "1".repeat(36);
const kept: ClockFloor = { schema: 1, wall: madeAt + 100 * minute, uptime: { boot, ms: 10 * minute } };

test.each([
  ["the first time it is the program's own time", undefined, madeAt - minute, undefined, madeAt],
  ["a clock that goes on is believed", kept, madeAt + 200 * minute, { boot, ms: 11 * minute }, madeAt + 200 * minute],
  ["what has run in the same boot counts", kept, madeAt, { boot, ms: 17 * minute }, madeAt + 107 * minute],
  ["another boot tells nothing", kept, madeAt, { boot: "2", ms: 90 * minute }, madeAt + 100 * minute],
  ["nor does a kernel that says nothing", kept, madeAt, undefined, madeAt + 100 * minute],
  ["nor an uptime that went back", kept, madeAt, { boot, ms: 0 }, madeAt + 100 * minute],
])("%s", (_, floor, wall, uptime, expected) => {
  expect(floorNow(floor, { wall, uptime }, madeAt)).toEqual({
    schema: 1,
    wall: expected,
    ...(uptime === undefined ? {} : { uptime }),
  });
});

test("it is written at first, in each boot, and then once a minute", () => {
  expect(isFloorDue(undefined, kept)).toBe(true);
  expect(isFloorDue(kept, kept)).toBe(false);
  expect(isFloorDue(kept, { ...kept, wall: kept.wall + minute - 1 })).toBe(false);
  expect(isFloorDue(kept, { ...kept, wall: kept.wall + minute })).toBe(true);
  expect(isFloorDue(kept, { ...kept, uptime: { boot: "2", ms: 0 } })).toBe(true);
  expect(isFloorDue({ schema: 1, wall: 1 }, { schema: 1, wall: 1 })).toBe(false);
});

test("a clock may be five minutes behind, and not before the program was made", () => {
  const floor = { ...kept, wall: madeAt + 3 * minute };
  checkClock(madeAt, floor, madeAt);
  expect(() => checkClock(madeAt - 1, floor, madeAt)).toThrow(/^time.clock_unset: expected 2026-01-01/);
  checkClock(kept.wall - 5 * minute, kept, madeAt);
  expect(() => checkClock(kept.wall - 5 * minute - 1, kept, madeAt)).toThrow(/^time.clock_behind: /);
});

test("it is kept, and a file that is damaged or others' is not believed", async () => {
  const host = makeHostDirectory();
  const place = { ...host, vfs };
  expect(findClockFloor(place)).toBeUndefined();
  await putClockFloor(place, kept);
  expect(findClockFloor(place)).toEqual(kept);
  chmodSync(host.paths.clockFloor, 0o622);
  expect(() => findClockFloor(place)).toThrow(/^journal.unsound: .*clock reset/);
  chmodSync(host.paths.clockFloor, 0o600);
  writeFileSync(host.paths.clockFloor, '{"schema":1,"wall":-1}');
  expect(() => findClockFloor(place)).toThrow(/^journal.unsound: /);
});

test("root sets it anew, also back, and is told what was there", async () => {
  const host = makeHostDirectory();
  const reset = (wall: number, uptime: ClockFloor["uptime"] = { boot, ms: 5 }) =>
    resetClock({ ...host, vfs, clock: { now: () => wall }, findUptime: () => uptime, madeAt });
  await expect(reset(madeAt - 1)).rejects.toThrow(/^time.clock_unset: /);
  expect((await reset(madeAt + minute)).lines).toContain("Before: nothing was written.");
  await putClockFloor({ ...host, vfs }, kept);
  expect((await reset(madeAt)).lines).toContain("Before: 2026-01-01T01:40:00.000Z.");
  expect(findClockFloor(host)).toEqual({ schema: 1, wall: madeAt, uptime: { boot, ms: 5 } });
  writeFileSync(host.paths.clockFloor, "damaged");
  expect((await reset(madeAt)).lines).toContain("Before: the file was damaged.");
  const without = { ...host, vfs, clock: { now: () => madeAt }, findUptime: () => undefined, madeAt };
  await resetClock(without);
  expect(findClockFloor(host)).toEqual({ schema: 1, wall: madeAt });
});

test("root's own faults are not taken for a damaged file", async () => {
  const host = makeHostDirectory();
  mkdirSync(dirname(host.paths.clockFloor), { recursive: true });
  const paths = {
    get clockFloor(): string {
      throw new Error("no such host");
    },
  };
  expect(() => findClockFloor({ owner: host.owner, paths })).toThrow("no such host");
  const deps = { owner: host.owner, paths, vfs, clock: { now: () => madeAt }, findUptime: () => undefined, madeAt };
  await expect(resetClock(deps)).rejects.toThrow("no such host");
  expect(() => readFileSync(host.paths.clockFloor)).toThrow("ENOENT");
});

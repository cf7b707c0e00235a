import { manualClock } from "@gatehouse/base";
import { memoryTelemetry, type Telemetry } from "@gatehouse/store/telemetry";
import { expect, test } from "vitest";
import { openUses } from "./uses.ts";

const hour = 60 * 60_000;

function rig(telemetry: Pick<Telemetry, "touch" | "lastTouched" | "flush"> = memoryTelemetry()) {
  const clock = manualClock();
  return { clock, telemetry, open: () => openUses({ clock, telemetry }) };
}

test("a use is known at once, and after a restart from telemetry, with its address", async () => {
  const { clock, telemetry, open } = rig();
  const before = open();
  const use = { at: clock.now(), address: "192.0.2.1" };
  before.touch("a", use);
  expect(await before.find(["a", "b"])).toEqual(new Map([["a", use]]));
  await telemetry.flush();
  expect(await open().find(["a", "b"])).toEqual(new Map([["a", use]]));
});

test("a credential has been idle since its last use, also when the server was restarted meanwhile", async () => {
  const { clock, telemetry, open } = rig();
  open().touch("a", { at: clock.now(), address: "" });
  await telemetry.flush();
  clock.advance(hour);
  const after = open();
  expect(await after.idleMs("a")).toBe(hour);
  clock.advance(hour);
  expect(await after.idleMs("a")).toBe(2 * hour);
  after.touch("a", { at: clock.now(), address: "" });
  expect(await after.idleMs("a")).toBe(0);
});

test("where no use is known it has been idle since the start", async () => {
  const { clock, open } = rig();
  clock.advance(hour);
  const uses = open();
  clock.advance(5);
  expect(await uses.idleMs("a")).toBe(5);
});

test("a time from the future, left by a clock that was set back, counts as now", async () => {
  const { clock, telemetry, open } = rig();
  telemetry.touch("credential/a", clock.now() + hour, "192.0.2.1");
  await telemetry.flush();
  expect(await open().idleMs("a")).toBe(0);
});

test("what was used while it is looked up keeps the newer use", async () => {
  const { clock, telemetry, open } = rig();
  telemetry.touch("credential/a", clock.now() - hour, "192.0.2.1");
  await telemetry.flush();
  const uses = open();
  const use = { at: clock.now(), address: "192.0.2.2" };
  const finding = uses.find(["a"]);
  uses.touch("a", use);
  expect(await finding).toEqual(new Map([["a", use]]));
});

test("one that ended is forgotten, and its last use is still shown right", async () => {
  const { clock, telemetry, open } = rig();
  const uses = open();
  uses.touch("a", { at: clock.now(), address: "192.0.2.1" });
  await telemetry.flush();
  clock.advance(1);
  const last = { at: clock.now(), address: "192.0.2.2" };
  uses.touch("a", last);
  uses.forget(["a"]);
  expect(await uses.find(["a"])).toEqual(new Map([["a", last]]));
});

test("telemetry is asked once for each credential, whether it knows it or not, and keeps nobody out when it fails", async () => {
  const asked: string[][] = [];
  const { clock, open } = rig({
    touch: () => undefined,
    flush: () => Promise.resolve(),
    lastTouched: (keys) => {
      asked.push([...keys]);
      return Promise.reject(new Error("the disk is gone"));
    },
  });
  const uses = open();
  clock.advance(7);
  expect([await uses.idleMs("a"), await uses.idleMs("a")]).toEqual([7, 7]);
  expect(await uses.find(["a", "b"])).toEqual(new Map());
  expect(asked).toEqual([["credential/a"], ["credential/b"]]);
});

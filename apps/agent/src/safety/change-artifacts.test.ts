import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { makeChangeBench, untilIdle, untilKinds, untilRestarted } from "../../test/change-bench.ts";
import { keptOf } from "../../test/made-artifact.ts";
import { elfOf } from "../../../../tests/support/elf-program.ts";
import type { Changes } from "./open-changes.ts";

async function endOf(changes: Changes, task: string) {
  const found = await changes.find(task);
  return found?.ended?.end;
}

test("a change has its artifacts until it has been made, and nobody has them afterwards", async () => {
  const bench = await makeChangeBench();
  const artifact = keptOf(elfOf("x64"));
  bench.before.set("checking", async () => expect(artifact.isClosed()).toBe(false));
  const changes = bench.open();
  await changes.begin({ ...bench.judged, artifacts: [artifact] });
  await untilRestarted(bench);
  await expect.poll(() => artifact.isClosed()).toBe(true);
  expect(bench.given).toEqual(Array.from({ length: 4 }, () => [artifact]));
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(await endOf(changes, bench.judged.task)).toMatchObject({ outcome: "applied" });
});

test.each(["validate", "apply"] as const)("a change that fails at %s has let its artifacts go too", async (call) => {
  const bench = await makeChangeBench();
  const artifact = keptOf(elfOf("x64"));
  bench.failing.set(call, fault("validate.failed", "it cannot be made"));
  const changes = bench.open();
  await changes.begin({ ...bench.judged, artifacts: [artifact] });
  await expect.poll(() => artifact.isClosed()).toBe(true);
});

test("an artifact that does not close keeps no change from its proof", async () => {
  const bench = await makeChangeBench();
  const stuck = { ...keptOf(elfOf("x64")), close: () => Promise.reject(new Error("EIO")) };
  const changes = bench.open();
  await changes.begin({ ...bench.judged, artifacts: [stuck] });
  await untilRestarted(bench);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect(await endOf(changes, bench.judged.task)).toMatchObject({ outcome: "applied" });
  expect(bench.lines).toContainEqual(expect.stringMatching(/^artifacts are not all gone: .*EIO/));
});

test("a helper that ends between the acceptance and the first touch has its change ended as not begun, artifact or not", async () => {
  const bench = await makeChangeBench();
  const killed = bench.open("accepted");
  void killed.begin({ ...bench.judged, artifacts: [keptOf(elfOf("x64"))] });
  await untilKinds(bench, "accepted");
  const next = bench.open();
  await next.resume();
  await untilIdle(next);
  expect(bench.given, "nothing was made of it").toEqual([]);
  expect(await endOf(next, bench.judged.task)).toMatchObject({
    outcome: "failed_before_change",
    code: "change.interrupted",
  });
});

import { mostToldBytes } from "@gatehouse/contract";
import type { Operation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { type ChangeBench, makeChangeBench, untilIdle, untilRestarted } from "../../test/change-bench.ts";

const restart = "systemctl restart --no-block gatehouse-agent.service";
const tail: Operation = { kind: "log.tail", source: { from: "journal", unit: "web.service" }, lines: 5 };

/** Makes a change of these operations, up to its proof. */
async function makeChangeOf(bench: ChangeBench, choose: (own: readonly Operation[]) => Operation[]) {
  const { section } = bench.judged;
  const operations = choose(section.operations);
  const preconditions = operations.length > 1 ? section.preconditions : [];
  const changes = bench.open();
  await changes.begin({ ...bench.judged, section: { ...section, operations, preconditions } });
  return changes;
}

test("what only reads is read at its place, changes nothing, and is told with the end", async () => {
  const bench = await makeChangeBench();
  const changes = await makeChangeOf(bench, (own) => own.flatMap((each) => [each, tail]));
  await untilRestarted(bench);
  const prepared = ["validate", "validate", "keep", "prove", "check", "arm", "states"];
  const made = ["apply", "read", "apply", "read"];
  expect(bench.calls).toEqual([...prepared, ...made, "isApplied", "isApplied", "ceiling", restart]);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  const lines = [`at most ${mostToldBytes / 2} in 5000`];
  expect((await changes.find(bench.judged.task))?.ended?.end).toMatchObject({
    outcome: "applied",
    told: [
      { operation: 1, lines },
      { operation: 3, lines },
    ],
  });
});

test("a change that only reads goes the same way, and ends when the way to the server is proved", async () => {
  const bench = await makeChangeBench();
  const changes = await makeChangeOf(bench, () => [tail]);
  await untilRestarted(bench);
  expect(bench.calls).toEqual(["keep", "prove", "check", "arm", "states", "read", "ceiling", restart]);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect((await changes.find(bench.judged.task))?.ended?.end).toMatchObject({
    outcome: "applied",
    told: [{ operation: 0, lines: [`at most ${mostToldBytes} in 5000`] }],
  });
});

test("all that is read has one time together, and what comes after it takes nothing back", async () => {
  const bench = await makeChangeBench();
  bench.now.readingMs = 3_000;
  const changes = await makeChangeOf(bench, (own) => [...own, tail, tail, tail]);
  await untilRestarted(bench);
  expect(bench.calls.filter((name) => name === "read")).toHaveLength(2);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  const most = Math.floor(mostToldBytes / 3);
  expect((await changes.find(bench.judged.task))?.ended?.end).toMatchObject({
    outcome: "applied",
    told: [
      { operation: 2, lines: [`at most ${most} in 5000`] },
      { operation: 3, lines: [`at most ${most} in 2000`] },
      { operation: 4, lines: [], code: "read.limit" },
    ],
  });
});

test("without a clock one log is read", async () => {
  const bench = await makeChangeBench();
  bench.before.set("applying", async () => void (bench.now.hasUptime = false));
  bench.before.set("checking", async () => void (bench.now.hasUptime = true));
  const changes = await makeChangeOf(bench, (own) => [...own, tail, tail]);
  await untilRestarted(bench);
  expect(bench.calls.filter((name) => name === "read")).toHaveLength(1);
  await changes.prove(await bench.prove());
  await untilIdle(changes);
  expect((await changes.find(bench.judged.task))?.ended?.end).toMatchObject({ outcome: "applied" });
});

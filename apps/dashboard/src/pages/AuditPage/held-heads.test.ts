import { expect, test } from "vitest";
import { heldHeads, untoldHosts } from "./held-heads.ts";
import { sampleWitness } from "./sample-witness.ts";

const older = sampleWitness("older", { state: "behind", position: 48_196 });
const newest = [sampleWitness("a"), sampleWitness("b")];
const refuses = sampleWitness("refuses", { state: "refuses", code: "witness.fork", position: 48_210 });
const untold = sampleWitness("untold", { state: "silent", n: null, position: null, link: null, at: null });
const away = sampleWitness("away", { state: "silent", position: 48_196 });

test("hosts at one head stand together, the newest head first", () => {
  const heads = heldHeads([older, ...newest, away]);
  expect(heads.map(({ position, hosts }) => [position, ...hosts.map(({ name }) => name)])).toEqual([
    [48_217, "a", "b"],
    [48_196, "older", "away"],
  ]);
});

test("what a host refuses to go on from is no head of this log, and who told nothing holds none", () => {
  expect(heldHeads([refuses, untold])).toEqual([]);
  expect(untoldHosts([refuses, untold, older])).toEqual([untold]);
});

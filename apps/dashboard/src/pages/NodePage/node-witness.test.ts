import { nodeId } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { idBefore } from "./node-witness.ts";

const zeros = "0".repeat(25);

test.each([
  [`node_${zeros}1`, `node_${zeros}0`],
  [`node_${zeros}j`, `node_${zeros}h`],
  [`node_a${zeros}`, `node_9${"z".repeat(25)}`],
  [`node_01k9x4t7qdm3v8w2n5c6b1za00`, `node_01k9x4t7qdm3v8w2n5c6b1z9zz`],
])("the last id before %s is %s, an id like every other", (id, before) => {
  expect(idBefore(id)).toBe(before);
  expect(nodeId.safeParse(before).success).toBe(true);
  expect(before < id).toBe(true);
});

test("before the first id that there can be is none", () => {
  expect(idBefore(`node_${zeros}0`)).toBeUndefined();
});

import { nodeId } from "@gatehouse/contract";
import { nodeKind } from "@gatehouse/contract/records";
import { memoryStore } from "@gatehouse/store/far";
import { expect, test } from "vitest";
import { inventFleet, seedFleet } from "../tests/support/seed-fleet.ts";

const fleet = { nodes: 200, seed: 6, now: Date.UTC(2026, 10, 16) };

test("a seeded fleet is the same every time, and another seed is another fleet", () => {
  expect(inventFleet(fleet)).toEqual(inventFleet(fleet));
  expect(inventFleet({ ...fleet, seed: 7 })[0]?.id).not.toBe(inventFleet(fleet)[0]?.id);
});

test("a seeded fleet has what the pages have to show: both ceilings, silent, revoked and untagged hosts", () => {
  const nodes = inventFleet(fleet);
  expect(new Set(nodes.map(({ facts }) => facts?.mode))).toEqual(new Set(["monitor", "managed", undefined]));
  expect(nodes.some(({ revokedAt }) => revokedAt !== undefined)).toBe(true);
  expect(nodes.some(({ tags }) => tags.length === 0)).toBe(true);
});

test("every seeded node is a record under an id that a host could have, with the entry of its enrolment", async () => {
  const store = memoryStore();
  const written = await seedFleet(store, { ...fleet, nodes: 20 });
  const kept = await store.list(nodeKind, { limit: 100 });
  expect(kept.map(({ value }) => value.id)).toEqual(written.map(({ id }) => id).sort());
  expect(written.every(({ id }) => nodeId.safeParse(id).success)).toBe(true);
  expect((await store.searchAudit({ limit: 100 })).items).toHaveLength(20);
  await store.close();
});

import { fault } from "@gatehouse/contract/faults";
import { witnessKey } from "@gatehouse/contract/records";
import { expect, test } from "vitest";
import { memoryStore } from "./far-store.ts";
import { ephemeralSecrets } from "./secrets.ts";
import { entryOf } from "./store-cases.ts";
import { isSigned, newWitnessKey, openWitness, parseWitness, signHead } from "./witness.ts";

const head = { position: 42, link: "ab".repeat(32) };

test("a signed head verifies, and any other head does not", () => {
  const key = newWitnessKey();
  const witnessed = signHead(key, head, "2026-01-01T00:00:00.000Z");
  expect(isSigned(witnessed)).toBe(true);
  expect(isSigned(parseWitness(JSON.stringify(witnessed)))).toBe(true);
  for (const other of [
    { position: 43 },
    { link: "cd".repeat(32) },
    { at: "2026-01-02T00:00:00.000Z" },
    { server: newWitnessKey().server },
  ]) {
    expect(isSigned({ ...witnessed, ...other })).toBe(false);
  }
  expect(isSigned({ ...witnessed, server: "short" })).toBe(false);
});

test("a file that is no witness is refused", () => {
  expect(() => parseWitness("{}")).toThrow("store.malformed");
});

const onUnkept = (error: unknown) => {
  throw error;
};

test("a store that takes no changes gets no key, and signs nothing until it has one", async () => {
  const store = memoryStore();
  const secrets = ephemeralSecrets();
  const full = { ...store, commit: () => Promise.reject(fault("store.disk_full", "full")) };
  const told: unknown[] = [];
  const witness = await openWitness({ store: full, secrets, now: 1, onUnkept: (error) => told.push(error) });
  expect(told).toMatchObject([{ code: "store.disk_full" }]);
  await expect(witness.sign(2)).rejects.toMatchObject({ code: "server.not_ready" });
  await openWitness({ store, secrets, now: 3, onUnkept });
  expect(isSigned(await witness.sign(4))).toBe(true);
});

test("the server's key is made once, sealed, and signs the head as it is", async () => {
  const store = memoryStore();
  const secrets = ephemeralSecrets();
  const first = await (await openWitness({ store, secrets, now: 1, onUnkept })).sign(2);
  await store.commit(entryOf("thing/a"));
  const second = await (await openWitness({ store, secrets, now: 4, onUnkept })).sign(5);
  expect(isSigned(first) && isSigned(second)).toBe(true);
  expect(second).toMatchObject({ server: first.server, position: 2, at: "1970-01-01T00:00:00.005Z" });
  const kept = await store.get(witnessKey);
  expect(JSON.stringify(kept?.value)).toMatch(/"secret":"sealed1:/);
});

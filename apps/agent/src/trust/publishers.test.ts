import { importPrivateKey, keyIdOf, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { makeApproverKey } from "../../test/approver-keys.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { describeTrust, trustJson } from "./describe-trust.ts";
import { nameApprovers } from "./name-approvers.ts";
import { readPublishers } from "./publishers.ts";
import { findTrust, readTrust } from "./read-trust.ts";
import { resetTrust } from "./reset-trust.ts";

const keyOf = (seed: number) => publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(seed)));
const [first, next, tools] = [keyOf(1), keyOf(2), keyOf(3)] as const;
const entry = (key: Uint8Array) => ({ id: keyIdOf(key), key: key.toBase64() });
const named = (publisher: string, key: Uint8Array) => `${publisher}=${key.toBase64()}`;

test("a publisher is named with a key, and one that is named again has one more", () => {
  expect(readPublishers([named("acme", first), named("tools", tools), named("acme", next)])).toEqual({
    acme: { keys: [entry(first), entry(next)] },
    tools: { keys: [entry(tools)] },
  });
  expect(readPublishers([])).toEqual({});
});

test.each([
  "",
  "acme",
  "acme=",
  `=${first.toBase64()}`,
  `acme=${first.toBase64()}=`,
  `acme=${first.toBase64().slice(0, -1)}`,
  `acme=${first.subarray(1).toBase64()}`,
  `acme= ${first.toBase64()}`,
  `acme=${first.toBase64().replace(/.=$/, "B=")}`,
  `acme=${first.toHex()}`,
])("%j names none", (text) => {
  expect(() => readPublishers([text])).toThrow(/^trust\.form: expected ID=KEY/);
});

test("a publisher that is called like a part of every object is one like any other", () => {
  expect(Object.entries(readPublishers([named("constructor", first)]))).toEqual([
    ["constructor", { keys: [entry(first)] }],
  ]);
  expect(Object.keys(readPublishers([named("__proto__", first)]))).toEqual(["__proto__"]);
});

test("a key that anybody can sign for is nobody's", () => {
  expect(() => readPublishers([named("acme", new Uint8Array(32))])).toThrow(/^key\.weak: acme/);
});

function makeRoot() {
  const place = makeHostDirectory();
  const ada = makeApproverKey(1, "ada");
  const deps = { place, show: () => undefined, now: () => 1_800_000_000_999 };
  const approvers = { lines: [ada.line], fingerprints: [ada.fingerprint] };
  const name = (...publishers: string[]) => nameApprovers(deps, { ...approvers, publishers });
  return { place, deps, approvers, name };
}

test("root names publishers with the approvers, and the trust file tells them", async () => {
  const { place, name } = makeRoot();
  await name(named("acme", first));
  expect([...readTrust(place).publishers]).toEqual([["acme", [{ id: keyIdOf(first), key: first }]]]);
  const found = findTrust(place);
  expect(describeTrust(found)).toContain(`  - acme: ${first.toBase64()}, key id ${keyIdOf(first)}`);
  expect(trustJson(found)).toMatchObject({ publishers: { acme: [entry(first)] } });
});

test("without a word about them nobody's programs are taken, and a file that is there stays", async () => {
  const { place, deps, approvers, name } = makeRoot();
  await nameApprovers(deps, approvers);
  expect(readTrust(place).publishers.size).toBe(0);
  expect(describeTrust(findTrust(place))).toContain("It names no publisher: no plan may bring a program.");
  await resetTrust(deps, { ...approvers, publishers: [named("acme", first)] });
  await nameApprovers(deps, approvers);
  await name(named("acme", first));
  expect([...readTrust(place).publishers.keys()]).toEqual(["acme"]);
});

test("other publishers do not come in passing: the file would be another, and approvals that name it would not count", async () => {
  const { name } = makeRoot();
  await name(named("acme", first));
  for (const others of [[named("acme", next)], [named("acme", first), named("tools", tools)], []])
    await expect(name(...others)).rejects.toThrow(/^trust\.other_keys: .* names other publishers/);
});

test("a reset names publishers anew, or none", async () => {
  const { place, deps, approvers, name } = makeRoot();
  await name(named("acme", first));
  await resetTrust(deps, { ...approvers, publishers: [named("tools", tools)] });
  expect([...readTrust(place).publishers.keys()]).toEqual(["tools"]);
  await resetTrust(deps, approvers);
  expect(readTrust(place).publishers.size).toBe(0);
});

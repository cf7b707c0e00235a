import { createPublicKey, verify } from "node:crypto";
import { keyIdOf, parseTrustPolicy } from "@gatehouse/bundle/verify";
import { isFault } from "@gatehouse/contract";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { keyOf } from "../bundles/sample.ts";
import { Chance, counts } from "./support/chance.ts";
import {
  add,
  encode,
  groupOrder,
  isOnCurve,
  multiply,
  neutral,
  p,
  type Point,
  pointsAt,
  smallOrderPoints,
} from "./support/curve.ts";
import { makeScratch } from "./support/scratch.ts";
import { startRefused } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Older Node versions: for a few public keys that belong to nobody, one fixed signature verifies every text, or one in
 * eight. A trust policy that names such a key must not load, whatever the version below says about its signatures.
 */
const small = smallOrderPoints();

/** All fourteen ways in which 32 bytes can mean a point of small order to somebody. */
const encodings: readonly Uint8Array[] = [
  ...small.map(({ x, y }) => encode(y, x & 1n)),
  // Zero has no sign; some readers take a set bit all the same.
  encode(1n, 1n),
  encode(p - 1n, 1n),
  // y + p fits into 255 bits where y is below 19: zero and one are such.
  encode(p, 0n),
  encode(p, 1n),
  encode(p + 1n, 0n),
  encode(p + 1n, 1n),
];

function load(publicKey: Uint8Array): string {
  const key = { id: keyIdOf(publicKey), publicKey: Buffer.from(publicKey).toString("base64") };
  try {
    parseTrustPolicy(
      Buffer.from(JSON.stringify({ publishers: { acme: { keys: [key], idPrefixes: [], capabilities: [] } } })),
    );
    return "loaded";
  } catch (error) {
    return isFault(error, "trust.invalid") ? "refused" : String(error);
  }
}

test("the fourteen encodings are what they are said to be", () => {
  expect(small.every(isOnCurve)).toBe(true);
  expect(small.map((point) => orderOf(point)).sort((a, b) => a - b)).toEqual([1, 2, 4, 4, 8, 8, 8, 8]);
  expect(new Set(encodings.map((bytes) => Buffer.from(bytes).toString("hex"))).size).toBe(14);
  // The arithmetic agrees with the system's: a public key times the group's order is the neutral point.
  const raw = Buffer.from(keyOf("acme").publicKey, "base64");
  const [point] = pointsAt(littleEndian(raw) & (2n ** 255n - 1n));
  expect(multiply(groupOrder, point ?? neutral)).toEqual(neutral);
});

test("none of the fourteen loads, and neither does any other that is no point or written in another way", async (context) => {
  expect(load(Buffer.from(keyOf("acme").publicKey, "base64"))).toBe("loaded");
  for (const bytes of encodings) expect(load(bytes), Buffer.from(bytes).toString("hex")).toBe("refused");
  // Every y from p to 2^255 - 1 is a second spelling of a small one.
  for (let y = p; y < 2n ** 255n; y += 1n)
    for (const sign of [0n, 1n]) expect(load(encode(y, sign)), String(y - p)).toBe("refused");
  tried(context, `14 encodings of small order and 38 that are not reduced`);
});

test("for keys drawn at random, loading agrees with the arithmetic", (context) => {
  const chance = new Chance("keys");
  const rounds = counts["59 keys"];
  let loaded = 0;
  for (let round = 0; round < rounds; round += 1) {
    const bytes = Uint8Array.from({ length: 32 }, () => chance.below(256));
    const y = littleEndian(bytes) & (2n ** 255n - 1n);
    const isKey = y < p && pointsAt(y).length === 2 && !small.some((point) => point.y === y);
    expect(load(bytes) === "loaded", Buffer.from(bytes).toString("hex")).toBe(isKey);
    if (isKey) loaded += 1;
  }
  expect(loaded).toBeGreaterThan(rounds / 4);
  tried(context, `${count(rounds, "random keys")}, ${count(loaded, "loaded")}`);
});

test("the forged signature that such a key verifies is made and shown to be worthless here", (context) => {
  // R is the key itself or the neutral point and s is zero: h·A + R is neutral for every text or for one in eight.
  let verified = 0;
  for (const bytes of encodings) {
    const key = tryImport(bytes);
    if (key === undefined) continue;
    for (const point of small) {
      const signature = Buffer.concat([encode(point.y, point.x & 1n), Buffer.alloc(32)]);
      for (let text = 0; text < 8; text += 1)
        if (verify(null, Buffer.from(`manifest ${text}`), key, signature)) verified += 1;
    }
  }
  // Should a later version verify them again, the policy above still refuses the keys.
  for (const bytes of encodings) expect(load(bytes)).toBe("refused");
  tried(
    context,
    `${count(encodings.length * small.length * 8, "forged signatures")}, of which this version verifies ${verified}`,
  );
});

test("a server does not start on a policy with such a key, and says which", async (context) => {
  await using scratch = await makeScratch();
  const file = join(scratch.path, "trust.json");
  const bytes = encodings[4] ?? Buffer.alloc(32);
  const key = { id: keyIdOf(bytes), publicKey: Buffer.from(bytes).toString("base64") };
  await writeFile(
    file,
    JSON.stringify({ publishers: { acme: { keys: [key], idPrefixes: ["acme-"], capabilities: [] } } }),
  );
  const { code, stderr } = await startRefused({ SERVICE_PLUGIN_TRUST: file });
  expect(code).toBe(1);
  expect(stderr).toMatch(/\/publishers\/acme\/keys\/0\/publicKey: [^\n]*small order/);
  tried(context, "1 refused start");
});

function orderOf(point: Point): number {
  let sum = point;
  for (let order = 1; order <= 8; order += 1) {
    if (sum.x === neutral.x && sum.y === neutral.y) return order;
    sum = add(sum, point);
  }
  throw new Error("not of small order");
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function tryImport(bytes: Uint8Array) {
  try {
    return createPublicKey({
      key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(bytes).toString("base64url") },
      format: "jwk",
    });
  } catch {
    return undefined;
  }
}

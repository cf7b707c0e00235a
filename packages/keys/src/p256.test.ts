import { createECDH, createPrivateKey, type KeyObject, sign } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedByP256, loadP256Key } from "./p256.ts";

const message = new TextEncoder().encode("message");
const { point, privateKey } = pairOf(1);
const signature = sign("sha256", message, { key: privateKey, dsaEncoding: "ieee-p1363" });

test("what a key signed is its own, and nobody else's", () => {
  const mine = loadP256Key(point, "mine");
  const other = loadP256Key(pairOf(2).point, "another");
  expect(isSignedByP256(mine, message, signature)).toBe(true);
  expect(isSignedByP256(other, message, signature)).toBe(false);
  expect(isSignedByP256(mine, message, signature.subarray(1))).toBe(false);
  expect(isSignedByP256(mine, new Uint8Array([...message, 0]), signature)).toBe(false);
});

test("the twin of a signature is good too: signatures are never what something is known by", () => {
  const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
  const s = BigInt(`0x${signature.subarray(32).toString("hex")}`);
  const twin = Buffer.from((order - s).toString(16).padStart(64, "0"), "hex");
  const both = Buffer.concat([signature.subarray(0, 32), twin]);
  expect(isSignedByP256(loadP256Key(point, "mine"), message, both)).toBe(true);
});

test("zeros, and numbers above the order, are no signature", () => {
  const key = loadP256Key(point, "mine");
  for (const byte of [0, 255]) expect(isSignedByP256(key, message, new Uint8Array(64).fill(byte))).toBe(false);
});

test("points of the curve are taken, whatever they are", () => {
  for (let seed = 3; seed < 40; seed += 1) expect(loadP256Key(pairOf(seed).point, "a key").type).toBe("public");
});

const changed = (at: number, byte: number) => point.with(at, byte);

test.each([
  ["64 bytes", point.subarray(0, 64), "expected 65 bytes, found 64"],
  ["66 bytes", new Uint8Array([...point, 0]), "expected 65 bytes, found 66"],
  ["a compressed point", point.subarray(0, 33).with(0, 2), "expected 65 bytes, found 33"],
  ["a hybrid point", changed(0, 6), "expected a point that begins with 04, found 06"],
  ["a point beside the curve", changed(64, (point[64] as number) ^ 1), "it is not a point of the curve"],
  ["an x above the prime", new Uint8Array(point).fill(255, 1, 33), "a coordinate is not below the field's prime"],
  ["a y above the prime", new Uint8Array(point).fill(255, 33), "a coordinate is not below the field's prime"],
])("%s is refused by name", (_, bytes, reason) => {
  expect(() => loadP256Key(bytes, "the key")).toThrow(`key.weak: the key is no usable P-256 key: ${reason}`);
});

function pairOf(seed: number): { point: Uint8Array; privateKey: KeyObject } {
  const ecdh = createECDH("prime256v1");
  const secret = Buffer.alloc(32, seed);
  ecdh.setPrivateKey(secret);
  const made = ecdh.getPublicKey();
  const base64url = (bytes: Buffer) => bytes.toString("base64url");
  const [d, x, y] = [base64url(secret), base64url(made.subarray(1, 33)), base64url(made.subarray(33))];
  const key = { kty: "EC", crv: "P-256", d, x, y };
  return { point: new Uint8Array(made), privateKey: createPrivateKey({ key, format: "jwk" }) };
}

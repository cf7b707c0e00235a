import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";

/**
 * A key object of a point of P-256, as approvers' security keys have them: 65 bytes, `04 x y`. Other spellings of the same
 * point are refused, so that one key has one id.
 */
export function loadP256Key(point: Uint8Array, whose: string): KeyObject {
  const flaw = findPointFlaw(point);
  if (flaw !== undefined) throw fault("key.weak", `${whose} is no usable P-256 key: ${flaw}`);
  return createPublicKey({ key: Buffer.concat([pointPrefix, point]), format: "der", type: "spki" });
}

/** `signature` is r and s, 32 bytes each. With (r, s) also (r, n - s) is good: nothing may go by the bytes of a signature. */
export function isSignedByP256(key: KeyObject, bytes: Uint8Array, signature: Uint8Array): boolean {
  return signature.byteLength === 64 && verify("sha256", bytes, { key, dsaEncoding: "ieee-p1363" }, signature);
}

/** What stands before the 65 bytes of a point in its DER form. */
const pointPrefix = Buffer.concat([
  // A sequence of 89 bytes, and in it one of 19: id-ecPublicKey and prime256v1 (RFC 5480).
  Buffer.from("30593013", "hex"),
  Buffer.from("06072a8648ce3d0201", "hex"),
  Buffer.from("06082a8648ce3d030107", "hex"),
  // A bit string of 66 bytes, of which the first says that no bit is unused.
  Buffer.from("034200", "hex"),
]);

const p = 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n;
const b = 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn;

/** Runtimes throw for some of these, each in its own way. The curve has no points of small order. */
function findPointFlaw(point: Uint8Array): string | undefined {
  if (point.byteLength !== 65) return `expected 65 bytes, found ${point.byteLength}`;
  if (point[0] !== 4) return `expected a point that begins with 04, found ${point.subarray(0, 1).toHex()}`;
  const x = BigInt(`0x${point.subarray(1, 33).toHex()}`);
  const y = BigInt(`0x${point.subarray(33).toHex()}`);
  if (x >= p || y >= p) return "a coordinate is not below the field's prime";
  return (y * y - (x * x * x - 3n * x + b)) % p === 0n ? undefined : "it is not a point of the curve";
}

/**
 * Whether 32 bytes are a public key that only its owner can sign for. Some encodings are points for which everybody can
 * make signatures, and whether a verifier refuses them depends on its version: so they are refused here, by arithmetic
 * (security class 59). Returns what is wrong, or undefined.
 */
export function findKeyFlaw(publicKey: Uint8Array): string | undefined {
  const encoded = littleEndian(publicKey);
  const y = encoded & ((1n << 255n) - 1n);
  const isOdd = encoded >> 255n;
  if (y >= p) return "its y coordinate is not below 2^255-19";
  const x = recoverX(y, isOdd);
  if (x === undefined) return "it is not a point of the curve";
  let point: Point = { x, y, z: 1n };
  for (let doubling = 0; doubling < 3; doubling += 1) point = double(point);
  // The neutral point is (0, 1): every point of order 1, 2, 4 or 8 has arrived there.
  if (point.x === 0n && point.y === point.z) return "it is a point of small order, for which anybody can sign";
  return undefined;
}

/** Projective coordinates: the point (x/z, y/z). */
interface Point {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
}

const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n));
const rootOfMinusOne = power(2n, (p - 1n) / 4n);

function mod(value: bigint): bigint {
  const rest = value % p;
  return rest < 0n ? rest + p : rest;
}

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  let square = base;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) % p;
    square = (square * square) % p;
  }
  return result;
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/** RFC 8032 section 5.1.3: the x of -x² + y² = 1 + d·x²·y² with the given last bit, if there is one. */
function recoverX(y: bigint, isOdd: bigint): bigint | undefined {
  const u = mod(y * y - 1n);
  const v = mod(d * y * y + 1n);
  const candidate = mod(u * v ** 3n * power(mod(u * v ** 7n), (p - 5n) / 8n));
  const square = mod(v * candidate * candidate);
  if (square !== u && square !== mod(-u)) return undefined;
  const x = square === u ? candidate : mod(candidate * rootOfMinusOne);
  if (x === 0n) return isOdd === 0n ? x : undefined;
  return (x & 1n) === isOdd ? x : p - x;
}

/** RFC 8032 section 5.1.4, doubling on a twisted Edwards curve with a = -1 (Bernstein and Lange, dbl-2008-bbjlp). */
function double({ x, y, z }: Point): Point {
  const b = mod((x + y) ** 2n);
  const c = mod(x * x);
  const e = mod(y * y);
  const f = mod(e - c);
  const j = mod(f - 2n * z * z);
  return { x: mod((b - c - e) * j), y: mod(f * (-c - e)), z: mod(f * j) };
}

/**
 * Whether 32 bytes are a public key that only its owner can sign for. Some encodings are points for which everybody can
 * make signatures, and whether a verifier refuses them depends on its version: so they are refused here, by arithmetic
 * (security class 59). Returns what is wrong, or undefined.
 */
export function findKeyFlaw(publicKey: Uint8Array): string | undefined {
  const encoded = littleEndian(publicKey);
  const weakness = weaknessOf(encoded & yBits);
  if (weakness !== undefined) return weakness;
  return isOnCurve(encoded & yBits) ? undefined : "it is not a point of the curve";
}

/**
 * The same without asking whether there is such a point, which takes as long as checking a signature does. For what is no
 * point no verifier accepts anything: who has passed `findKeyFlaw` once needs no more than this.
 */
export function findWeakness(publicKey: Uint8Array): string | undefined {
  return weaknessOf(littleEndian(publicKey) & yBits);
}

function weaknessOf(y: bigint): string | undefined {
  if (y >= p) return "its y coordinate is not below 2^255-19";
  return smallOrderY.has(y) ? "it is a point of small order, for which anybody can sign" : undefined;
}

/** All bits but the first, which is the sign of x. */
const yBits = (1n << 255n) - 1n;
const p = 2n ** 255n - 19n;
const d = mod(-121665n * power(121666n, p - 2n));

/** The eight points of order 1, 2, 4 and 8 lie at these; a test doubles each of them until it is the neutral point. */
const eighthY = 0x7a03ac9277fdc74ec6cc392cfa53202a0f67100d760b3cba4fd84d3d706a17c7n;
const smallOrderY = new Set([1n, p - 1n, 0n, eighthY, p - eighthY]);

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

/**
 * The power (p - 5) / 8 = 2^252 - 3. Nearly all of its bits are ones, for each of which `power` multiplies once more; a server
 * whose whole fleet comes back does this twice for every agent. A name says how many ones the exponent has so far.
 */
function powerForRoot(base: bigint): bigint {
  const ones2 = appended(base, 1, base);
  const ones4 = appended(ones2, 2, ones2);
  const ones5 = appended(ones4, 1, base);
  const ones10 = appended(ones5, 5, ones5);
  const ones20 = appended(ones10, 10, ones10);
  const ones40 = appended(ones20, 20, ones20);
  const ones80 = appended(ones40, 40, ones40);
  const ones160 = appended(ones80, 80, ones80);
  const ones240 = appended(ones160, 80, ones80);
  const ones250 = appended(ones240, 10, ones10);
  return appended(ones250, 2, base);
}

/** Puts the bits of another exponent behind so many places that are made free for them. */
function appended(value: bigint, places: number, behind: bigint): bigint {
  let result = value;
  for (let place = 0; place < places; place += 1) result = (result * result) % p;
  return (result * behind) % p;
}

function littleEndian(bytes: Uint8Array): bigint {
  return bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

/**
 * RFC 8032 section 5.1.3: whether -x² + y² = 1 + d·x²·y² has a solution. Which of its two x is meant is not asked: where they are
 * one, at 0, the point is of small order.
 */
function isOnCurve(y: bigint): boolean {
  const u = mod(y * y - 1n);
  const v = mod(d * y * y + 1n);
  const candidate = mod(u * v ** 3n * powerForRoot(mod(u * v ** 7n)));
  const square = mod(v * candidate * candidate);
  return square === u || square === mod(-u);
}

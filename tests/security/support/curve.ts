/**
 * The curve of Ed25519 in plain affine arithmetic, slow and by the book: only to make test vectors, and written without a
 * look at the product's own. The curve is -x² + y² = 1 + d·x²·y² over the field of p = 2^255 - 19.
 */
export interface Point {
  readonly x: bigint;
  readonly y: bigint;
}

export const p = 2n ** 255n - 19n;
const d = mod(-121_665n * inverse(121_666n));
/** Order of the large subgroup: eight times it is the number of all points. */
export const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;
export const neutral: Point = { x: 0n, y: 1n };

function mod(value: bigint): bigint {
  return ((value % p) + p) % p;
}

/** Fermat: a to the power of p - 2. */
function inverse(value: bigint): bigint {
  return power(mod(value), p - 2n);
}

function power(base: bigint, exponent: bigint): bigint {
  if (exponent === 0n) return 1n;
  const half = power(base, exponent / 2n);
  const squared = (half * half) % p;
  return exponent % 2n === 0n ? squared : (squared * base) % p;
}

export function isOnCurve({ x, y }: Point): boolean {
  return mod(-x * x + y * y) === mod(1n + d * mod(x * x) * mod(y * y));
}

export function add(a: Point, b: Point): Point {
  const product = mod(d * mod(a.x * b.x) * mod(a.y * b.y));
  return {
    x: mod((a.x * b.y + b.x * a.y) * inverse(1n + product)),
    y: mod((a.y * b.y + a.x * b.x) * inverse(1n - product)),
  };
}

export function multiply(times: bigint, point: Point): Point {
  let sum = neutral;
  let doubled = point;
  for (let rest = times; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) sum = add(sum, doubled);
    doubled = add(doubled, doubled);
  }
  return sum;
}

/** The two points with this y, or none: x² = (y² - 1) / (d·y² + 1), and its root by p ≡ 5 (mod 8). */
export function pointsAt(y: bigint): Point[] {
  const square = mod((y * y - 1n) * inverse(d * mod(y * y) + 1n));
  const candidate = power(square, (p + 3n) / 8n);
  const x = [candidate, mod(candidate * power(2n, (p - 1n) / 4n))].find((root) => mod(root * root) === square);
  if (x === undefined) return [];
  return x === 0n ? [{ x, y: mod(y) }] : [x, p - x].map((root) => ({ x: root, y: mod(y) }));
}

/** RFC 8032: y in little-endian order, and the lowest bit of x on top. Takes a y that is not reduced as it is. */
export function encode(y: bigint, sign: bigint): Uint8Array {
  let rest = y | (sign << 255n);
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}

/** The eight points of order 1, 2, 4 and 8, from a point outside the large subgroup. */
export function smallOrderPoints(): Point[] {
  for (let y = 2n; ; y += 1n) {
    const [point] = pointsAt(y);
    if (point === undefined) continue;
    const torsion = multiply(groupOrder, point);
    const eight = Array.from({ length: 8 }, (_, times) => multiply(BigInt(times), torsion));
    if (new Set(eight.map((one) => `${one.x} ${one.y}`)).size === 8) return eight;
  }
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford base 32: no i, l, o, u to misread.

/** `<kind>_<time-ordered random>`: 48 bits of milliseconds, then 80 random bits, so that ids sort by age and cannot be guessed. */
export function newId(kind: string, now: number): string {
  let id = "";
  let time = now;
  for (let i = 0; i < 10; i += 1) {
    id = digits[time % 32] + id;
    time = Math.floor(time / 32);
  }
  // 16 characters of 5 bits each, every one from its own random byte: 80 bits without arithmetic.
  for (const byte of crypto.getRandomValues(new Uint8Array(16))) id += digits[byte & 31];
  return `${kind}_${id}`;
}

const digits = "0123456789abcdefghjkmnpqrstvwxyz"; // Crockford base 32: no i, l, o, u to misread.

/** Random bytes drawn ahead: asking the system for sixteen at a time costs more than the rest of an id. */
const drawn = new Uint8Array(4_096);
let used = drawn.length;

/** `<kind>_<time-ordered random>`: 48 bits of milliseconds, then 80 random bits, so that ids sort by age and cannot be guessed. */
export function newId(kind: string, now: number): string {
  let id = "";
  let time = now;
  for (let i = 0; i < 10; i += 1) {
    id = digits[time % 32] + id;
    time = Math.floor(time / 32);
  }
  if (used === drawn.length) {
    crypto.getRandomValues(drawn);
    used = 0;
  }
  // 16 characters of 5 bits each, every one from its own random byte: 80 bits without arithmetic. No byte serves twice.
  for (const end = used + 16; used < end; used += 1) id += digits[(drawn[used] as number) & 31];
  return `${kind}_${id}`;
}

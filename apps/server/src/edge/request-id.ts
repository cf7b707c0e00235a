import { randomFillSync } from "node:crypto";

const digits = "0123456789abcdefghjkmnpqrstvwxyz";
/** Two characters for ten bits: half the work per id. */
const pairs = Array.from({ length: 1024 }, (_, bits) => `${digits[bits >> 5]}${digits[bits & 31]}`);
const pairsPerId = 8;

/**
 * Makes request ids of the form `newId("req", now)` gives: 48 bits of time, 80 random bits. Every request needs one, so
 * randomness is drawn in blocks; asking for it id by id costs more than the rest of the edge together.
 */
export function openRequestIds(): (now: number) => string {
  const pool = new Uint16Array(2048);
  let used = pool.length;
  let moment = -1;
  let prefix = "";
  return (now) => {
    if (now !== moment) {
      moment = now;
      prefix = `req_${timeDigits(now)}`;
    }
    if (used + pairsPerId > pool.length) {
      randomFillSync(pool);
      used = 0;
    }
    let id = prefix;
    for (const end = used + pairsPerId; used < end; used += 1) id += pairs[(pool[used] ?? 0) & 1023];
    return id;
  };
}

function timeDigits(now: number): string {
  let text = "";
  let time = now;
  for (let i = 0; i < 10; i += 1) {
    text = digits[time % 32] + text;
    time = Math.floor(time / 32);
  }
  return text;
}

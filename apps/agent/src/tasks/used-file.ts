import { createHash } from "node:crypto";
import { fault } from "@gatehouse/contract/faults";
import { frame, isSameBytes, readNumber, u32, u64 } from "@gatehouse/keys/frame";

/** An approval or an order that this host has taken. Ids and digests are in lower-case hexadecimal. */
export interface UsedApproval {
  readonly approvalId: string;
  readonly planDigest: string;
  /** Milliseconds since 1970. */
  readonly notAfter: number;
}

/** Everything that a host remembers of what it has taken, oldest first. */
export interface UsedList {
  readonly entries: readonly UsedApproval[];
  /** The largest end of one that is no longer remembered: whatever ends by then is taken for used. */
  readonly horizon: number;
}

export const emptyUsed: UsedList = { entries: [], horizon: 0 };

/** So many are remembered at least. */
export const mostUsed = 65_536;

/** One that was used is added. Beyond the most, the one that ends first is left to the horizon, which never comes back. */
export function withUsed({ entries, horizon }: UsedList, added: UsedApproval, most = mostUsed): UsedList {
  const all = [...entries, added];
  if (all.length <= most) return { entries: all, horizon };
  const leaving = all.reduce((first, one) => (one.notAfter < first.notAfter ? one : first));
  return { entries: all.filter((one) => one !== leaving), horizon: Math.max(horizon, leaving.notAfter) };
}

const domain = "gatehouse-used-v1";
const linkBytes = 32;
/** Horizon and number of entries. */
const headBytes = 8 + 4;
/** Id, digest of the plan, end. */
const entryBytes = 16 + 32 + 8;
export const mostUsedBytes = headBytes + linkBytes + mostUsed * (entryBytes + linkBytes);

/**
 * Each record is followed by the hash of itself and of the link before it, and the first says how many there are: no record can be
 * taken out, changed or cut off without being noticed.
 */
export function writeUsed({ entries, horizon }: UsedList): Uint8Array {
  const records = [
    [u64(horizon), u32(entries.length)],
    ...entries.map(({ approvalId, planDigest, notAfter }) => [
      Uint8Array.fromHex(approvalId),
      Uint8Array.fromHex(planDigest),
      u64(notAfter),
    ]),
  ].map((fields) => Buffer.concat(fields));
  let link: Uint8Array = new Uint8Array(linkBytes);
  const parts = records.flatMap((record) => {
    link = nextLink(link, record);
    return [record, link];
  });
  return new Uint8Array(Buffer.concat(parts));
}

/** Throws `journal.unsound`, with the name of the file, for bytes that no `writeUsed` has written. */
export function parseUsed(bytes: Uint8Array, file: string): UsedList {
  const unsound = (expected: string, found: string) =>
    fault("journal.unsound", `${file}: expected ${expected}, found ${found}`);
  const numberOf = (field: Uint8Array): number => {
    const value = readNumber(field);
    if (value === undefined) throw unsound("a number up to 2^53-1", "a larger one");
    return value;
  };
  let link: Uint8Array = new Uint8Array(linkBytes);
  let at = 0;
  const take = (length: number, what: string): Uint8Array => {
    const record = bytes.subarray(at, at + length);
    const found = bytes.subarray(at + length, at + length + linkBytes);
    link = nextLink(link, record);
    if (!isSameBytes(found, link)) throw unsound(`${what} with its link`, "other bytes");
    at += length + linkBytes;
    return record;
  };
  const head = take(headBytes, "the first record");
  const [horizon, count] = [numberOf(head.subarray(0, 8)), numberOf(head.subarray(8))];
  const whole = headBytes + linkBytes + count * (entryBytes + linkBytes);
  if (bytes.byteLength !== whole) throw unsound(`${whole} bytes for ${count} entries`, String(bytes.byteLength));
  const entries = Array.from({ length: count }, (_, index) => {
    const entry = take(entryBytes, `entry ${index}`);
    return {
      approvalId: entry.subarray(0, 16).toHex(),
      planDigest: entry.subarray(16, 48).toHex(),
      notAfter: numberOf(entry.subarray(48)),
    };
  });
  return { entries, horizon };
}

function nextLink(link: Uint8Array, record: Uint8Array): Uint8Array {
  return createHash("sha256")
    .update(frame(domain, link, record))
    .digest();
}

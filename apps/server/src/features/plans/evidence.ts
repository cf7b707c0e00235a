import { fault, isFault } from "@gatehouse/contract";
import type { PlanFinding } from "@gatehouse/contract/routes";
import type { Blob, Blobs } from "@gatehouse/store/blobs";

/** What a section was made from, as it is kept beside the plan. */
export interface SectionEvidence {
  readonly node: string;
  /** What people called it then. */
  readonly name: string;
  /** What the host signed, in base64url; null where the section changes nothing. */
  readonly states: string | null;
  readonly statesAt: number | null;
  readonly findings: readonly PlanFinding[];
}

/** A review of ten thousand hosts reads the twenty that it shows. */
export function keepEvidence(blobs: Blobs, sections: readonly SectionEvidence[]): Promise<string> {
  return keepRows(blobs, sections);
}

/** Sections from `first` on, as many as asked for and there are. */
export function readEvidence(blobs: Blobs, digest: string, first: number, most: number): Promise<SectionEvidence[]> {
  return readRows<SectionEvidence>(blobs, digest, first, most);
}

/** One blob for a row of each section in the plan's order: how many there are, where each ends, then one text for each. */
export async function keepRows(blobs: Blobs, rows: readonly object[]): Promise<string> {
  const texts = rows.map((one) => Buffer.from(JSON.stringify(one)));
  const head = Buffer.alloc(4 + 8 * texts.length);
  head.writeUInt32BE(texts.length, 0);
  let end = 0n;
  for (const [index, { byteLength }] of texts.entries()) {
    end += BigInt(byteLength);
    head.writeBigUInt64BE(end, 4 + 8 * index);
  }
  return blobs.put([head, ...texts]);
}

/** Rows from `first` on, as many as asked for and there are. */
export async function readRows<Row>(blobs: Blobs, digest: string, first: number, most: number): Promise<Row[]> {
  const blob = await openPlanBlob(blobs, digest);
  try {
    const count = Buffer.from(await readBytes(blob, 0, 4)).readUInt32BE(0);
    const last = Math.min(count, first + most);
    if (first >= last) return [];
    // With the end of the one before, which is where the first begins.
    const from = Math.max(0, first - 1);
    const ends = Buffer.from(await readBytes(blob, 4 + 8 * from, 8 * (last - from)));
    const endOf = (index: number) => (index < 0 ? 0 : Number(ends.readBigUInt64BE(8 * (index - from))));
    const body = 4 + 8 * count;
    const rows: Row[] = [];
    for (let index = first; index < last; index += 1) {
      const begin = endOf(index - 1);
      const bytes = await readBytes(blob, body + begin, endOf(index) - begin);
      rows.push(JSON.parse(Buffer.from(bytes).toString()) as Row);
    }
    return rows;
  } finally {
    await blob.close();
  }
}

/** A whole blob that is known to be small enough to be held. */
export async function readWholeBlob(blobs: Blobs, digest: string): Promise<Uint8Array> {
  const blob = await openPlanBlob(blobs, digest);
  try {
    return await readBytes(blob, 0, blob.size);
  } finally {
    await blob.close();
  }
}

/** Bytes that a plan's record names. They are missing where a backup was restored without them. */
export async function openPlanBlob(blobs: Blobs, digest: string): Promise<Blob> {
  try {
    return await blobs.open(digest);
  } catch (error) {
    if (!isFault(error, "blob.unknown")) throw error;
    throw fault("plan.bytes_missing", `there is no blob ${digest}, which the plan's record names`, { cause: error });
  }
}

async function readBytes(blob: Blob, at: number, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let read = 0; read < length; ) {
    const part = await blob.read(at + read, length - read);
    if (part.byteLength === 0) throw fault("plan.bytes_missing", "a blob of the plan is shorter than it says");
    parts.push(part);
    read += part.byteLength;
  }
  return Buffer.concat(parts);
}

import { createHash } from "node:crypto";
import { byteForm, readByteForm } from "@gatehouse/base";
import { frame, isSameBytes, u32 } from "@gatehouse/keys/frame";
import { findJournalRecord, type JournalRecord } from "./journal-record.ts";

export const linkLength = 32;
/** Before the first record of all. */
export const firstLink = new Uint8Array(linkLength);

/** A section of 16 MiB is the largest thing that a record holds; as JSON within JSON nothing of it grows. */
export const mostRecordBytes = 17 * 1024 * 1024;

const magic = new TextEncoder().encode("gatehouse-journal-1\n");
/** A file begins with its own words and the link of the last record before it. */
export const headLength = magic.byteLength + linkLength;

export function writeHead(previous: Uint8Array): Uint8Array {
  return Buffer.concat([magic, previous]);
}

/** The link that the file goes on from; undefined for bytes that are no head. */
export function findHead(bytes: Uint8Array): Uint8Array | undefined {
  const isHead = bytes.byteLength >= headLength && isSameBytes(bytes.subarray(0, magic.byteLength), magic);
  return isHead ? new Uint8Array(bytes.subarray(magic.byteLength, headLength)) : undefined;
}

/** Length, the record's one byte form, and the link that binds it to all records before it. */
export function encodeRecord(previous: Uint8Array, record: JournalRecord): { bytes: Uint8Array; link: Uint8Array } {
  const body = byteForm(record);
  const link = interfaceLinkOf(previous, body);
  return { bytes: Buffer.concat([u32(body.byteLength), body, link]), link };
}

/** Where a journal goes on from. */
export interface JournalLink {
  readonly link: Uint8Array;
  /** Of the record before; undefined where it was removed with an old file. */
  readonly seq: number | undefined;
}

/** A record as it stands in the journal, with the link that binds it to all before. */
export type LinkedRecord = JournalRecord & { readonly link: Uint8Array };

export interface DecodedRecords {
  readonly records: readonly LinkedRecord[];
  readonly link: Uint8Array;
  /** Where the next record begins. */
  readonly end: number;
  /** `unfinished`: the bytes stop in the middle of a record. `damaged`: a record is not the one that was written. */
  readonly flaw: "unfinished" | "damaged" | undefined;
}

/** All whole records from `start` on, each checked against the link before it. */
export function decodeRecords(bytes: Uint8Array, start: number, from: JournalLink): DecodedRecords {
  const records: LinkedRecord[] = [];
  let { link, seq } = from;
  let end = start;
  const stop = (flaw: DecodedRecords["flaw"]): DecodedRecords => ({ records, link, end, flaw });
  while (end < bytes.byteLength) {
    const rest = bytes.subarray(end);
    if (rest.byteLength < 4) return stop("unfinished");
    const length = new DataView(rest.buffer, rest.byteOffset).getUint32(0);
    if (length > mostRecordBytes) return stop("damaged");
    const whole = 4 + length + linkLength;
    if (rest.byteLength < whole) return stop("unfinished");
    const body = rest.subarray(4, 4 + length);
    const found = new Uint8Array(rest.subarray(4 + length, whole));
    const record = isSameBytes(found, interfaceLinkOf(link, body))
      ? findJournalRecord(readByteForm(body, bodyLimits))
      : undefined;
    if (record === undefined || (seq !== undefined && record.seq !== seq + 1)) return stop("damaged");
    records.push({ ...record, link: found });
    [link, end, seq] = [found, end + whole, record.seq];
  }
  return stop(undefined);
}

/** For what holds a section, as it was accepted. */
export const bodyLimits = { depth: 32, keys: 100_000, items: 1_000_000 };

function interfaceLinkOf(previous: Uint8Array, body: Uint8Array): Uint8Array {
  return new Uint8Array(
    createHash("sha256")
      .update(frame("gatehouse-journal-v1", previous, body))
      .digest(),
  );
}

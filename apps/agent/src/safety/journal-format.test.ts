import { expect, test } from "vitest";
import { sampleData, sampleTask } from "./journal-cases.ts";
import {
  decodeRecords,
  encodeRecord,
  findHead,
  firstLink,
  headLength,
  mostRecordBytes,
  writeHead,
} from "./journal-format.ts";
import type { JournalRecord } from "./journal-record.ts";

const record = (seq: number): JournalRecord => ({
  v: 1,
  seq,
  at: 1_800_000_000_000,
  boot: "boot-1",
  uptimeMs: 1,
  task: sampleTask,
  kind: "accepted",
  data: sampleData.accepted,
});
const first = encodeRecord(firstLink, record(1));
const second = encodeRecord(first.link, record(2));
const both = Buffer.concat([first.bytes, second.bytes]);
const start = { link: firstLink, seq: 0 };

test("records are read back, with the link that the next one goes on from", () => {
  const read = decodeRecords(both, 0, start);
  const linked = [
    { ...record(1), link: first.link },
    { ...record(2), link: second.link },
  ];
  expect(read).toEqual({ records: linked, link: second.link, end: both.byteLength, flaw: undefined });
  expect(decodeRecords(second.bytes, 0, { link: first.link, seq: undefined }).records).toEqual(linked.slice(1));
});

test("not one byte of a record can be another", () => {
  for (let at = 0; at < both.byteLength; at += 1) {
    const bytes = both.map((byte, index) => (index === at ? byte ^ (1 << (at & 7)) : byte));
    const { flaw, records } = decodeRecords(bytes, 0, start);
    expect(flaw).toBeDefined();
    expect(records.length).toBe(at < first.bytes.byteLength ? 0 : 1);
  }
});

test("bytes that stop anywhere but between two records are unfinished", () => {
  for (let length = 0; length <= both.byteLength; length += 1) {
    const { flaw, records, end } = decodeRecords(both.subarray(0, length), 0, start);
    const isBetween = length === 0 || length === first.bytes.byteLength || length === both.byteLength;
    expect(flaw).toBe(isBetween ? undefined : "unfinished");
    expect(end).toBe(records.length === 0 ? 0 : records.length === 1 ? first.bytes.byteLength : both.byteLength);
  }
});

test("a record out of its place is damage: its number, its link, a length that none has", () => {
  expect(decodeRecords(second.bytes, 0, start).flaw).toBe("damaged");
  expect(decodeRecords(first.bytes, 0, { link: firstLink, seq: 5 }).flaw).toBe("damaged");
  const long = Buffer.alloc(8);
  long.writeUInt32BE(mostRecordBytes + 1);
  expect(decodeRecords(long, 0, start).flaw).toBe("damaged");
});

test("a file begins with its own words and the link before it", () => {
  const head = writeHead(first.link);
  expect(head.byteLength).toBe(headLength);
  expect(findHead(Buffer.concat([head, both]))).toEqual(first.link);
  expect(findHead(head.subarray(1))).toBeUndefined();
  expect(findHead(head.map((byte, index) => (index === 0 ? byte ^ 1 : byte)))).toBeUndefined();
});

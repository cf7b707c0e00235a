import { createHash, hash } from "node:crypto";
import type { LogSeal } from "./log-seal.ts";
import type { Head } from "./port.ts";

/**
 * The bytes of `state.json.audit-wal`. A header line, then groups: one group is what one fsync made durable, so the
 * unit of the chain is the unit that a power cut can tear (docs/decisions/0002).
 *
 *   {"format":2,"base":0,"baseLink":"00…"}
 *   {"first":1,"count":2,"link":"…","seal":"…","entriesBytes":123,"entries":[{…},{…}],"changes":[[…],[…]]}
 *   (blank)
 *   {"synced":2,"link":"…"}
 *
 *   changesHash = sha256(changes)      group = sha256(domain, entries, changesHash)
 *   link        = sha256(domain, previous link, first, count, group)
 *
 * The seal is an HMAC over the link (`log-seal.ts`). In format 1 groups had none, and a change had `newVersion`, the version of
 * its record before plus one, where it has `was` since.
 *
 * The archive keeps entries and changesHash: the chain still verifies there, and deleted secrets are gone.
 */
export const logFormat = 2;
export const genesis: Head = { position: 0, link: "0".repeat(64) };

const groupDomain = "gatehouse-audit-group-v1\n";
const groupDomainBytes = Buffer.from(groupDomain);
const linkDomain = "gatehouse-audit-link-v1\n";

export function hashChanges(changes: Uint8Array | string): string {
  return hash("sha256", changes, "hex");
}

/** The link of a group, from its public bytes and the hash of its changes. */
export function linkOf(
  previous: string,
  first: number,
  count: number,
  entries: Uint8Array | string,
  changesHash: string,
): string {
  const group = hashGroup(entries, changesHash);
  return hash("sha256", `${linkDomain}${previous} ${first} ${count} ${group}`, "hex");
}

function hashGroup(entries: Uint8Array | string, changesHash: string): string {
  if (entries.length > 32 * 1024) {
    return createHash("sha256").update(groupDomain).update(entries).update(`\n${changesHash}`).digest("hex");
  }
  // For a small group three calls cost more than the copy.
  const bytes = typeof entries === "string" ? Buffer.from(entries) : entries;
  return hash("sha256", Buffer.concat([groupDomainBytes, bytes, Buffer.from(`\n${changesHash}`)]), "hex");
}

export interface EncodedGroup {
  readonly bytes: Uint8Array;
  readonly head: Head;
}

/**
 * Encodes commits as one group. The texts are JSON: an entry object and an array of changes for each commit. A group of a
 * log carries a seal; one that only goes into an index needs none.
 */
export function encodeGroup(
  after: Head,
  entryTexts: readonly string[],
  changeTexts: readonly string[],
  seal?: Pick<LogSeal, "of">,
): EncodedGroup {
  const first = after.position + 1;
  const count = entryTexts.length;
  const entries = Buffer.from(`[${entryTexts.join(",")}]`);
  const changes = Buffer.from(`[${changeTexts.join(",")}]`);
  const link = linkOf(after.link, first, count, entries, hashChanges(changes));
  const sealed = seal === undefined ? "" : `"seal":"${seal.of(link)}",`;
  const start = `{"first":${first},"count":${count},"link":"${link}",${sealed}"entriesBytes":${entries.length},"entries":`;
  const bytes = Buffer.allocUnsafe(start.length + entries.length + changesKey.length + changes.length + 2);
  let at = bytes.write(start, 0, "latin1");
  at += entries.copy(bytes, at);
  at += bytes.write(changesKey, at, "latin1");
  at += changes.copy(bytes, at);
  bytes.write("}\n", at, "latin1");
  return { bytes, head: { position: after.position + count, link } };
}

const changesKey = `,"changes":`;
const groupStart =
  /^\{"first":([1-9][0-9]{0,15}),"count":([1-9][0-9]{0,6}),"link":"([0-9a-f]{64})",(?:"seal":"([0-9a-f]{64})",)?"entriesBytes":([1-9][0-9]{0,9}),"entries":/;
/** As long as the longest beginning of a group. */
const startBytes = 260;

export interface DecodedGroup {
  readonly first: number;
  readonly count: number;
  readonly link: string;
  /** Absent in a log of format 1. */
  readonly seal: string | undefined;
  /** Views into the line, not copies. */
  readonly entries: Buffer;
  readonly changes: Buffer;
}

/** Reads one line (without its line feed). Every byte is either checked here or covered by the link. */
export function decodeGroup(line: Buffer): DecodedGroup | undefined {
  const match = groupStart.exec(line.toString("latin1", 0, Math.min(line.length, startBytes)));
  if (match === null) return undefined;
  const entriesAt = match[0].length;
  const entriesEnd = entriesAt + Number(match[5]);
  const changesAt = entriesEnd + changesKey.length;
  if (changesAt + 3 > line.length || line.toString("latin1", entriesEnd, changesAt) !== changesKey) return undefined;
  if (line[line.length - 1] !== 0x7d) return undefined;
  return {
    first: Number(match[1]),
    count: Number(match[2]),
    link: match[3] as string,
    seal: match[4],
    entries: line.subarray(entriesAt, entriesEnd),
    changes: line.subarray(changesAt, line.length - 1),
  };
}

/** The exact JSON text of each entry of a group, or undefined when the bytes are not what we would have written. */
export function splitEntries(entries: Uint8Array | string, count: number): string[] | undefined {
  const text = typeof entries === "string" ? entries : Buffer.from(entries).toString("utf8");
  const parsed: unknown = JSON.parse(text);
  if (!Array.isArray(parsed) || parsed.length !== count) return undefined;
  const texts = parsed.map((entry) => JSON.stringify(entry));
  return `[${texts.join(",")}]` === text ? texts : undefined;
}

/** Header of a log whose first group follows `base`. */
export function encodeHeader(base: Head): Buffer {
  return Buffer.from(`{"format":${logFormat},"base":${base.position},"baseLink":"${base.link}"}\n`);
}

const header = /^\{"format":([1-9][0-9]{0,3}),"base":(0|[1-9][0-9]{0,15}),"baseLink":"([0-9a-f]{64})"\}$/;

export function decodeHeader(line: Buffer): (Head & { readonly format: number }) | undefined {
  const match = header.exec(line.toString("latin1"));
  if (match === null) return undefined;
  return { format: Number(match[1]), position: Number(match[2]), link: match[3] as string };
}

/**
 * A mark is written after an fsync succeeded, so it proves that everything before it was durable: what is broken before
 * a mark is damage, what is broken after the last one may be a write that power cut short. It has a line feed of its own
 * on both sides, so that no single flipped bit can hide it, and no JSON text can contain it.
 */
export function encodeMark(head: Head): Buffer {
  return Buffer.from(`\n{"synced":${head.position},"link":"${head.link}"}\n`);
}

const mark = /^\{"synced":([1-9][0-9]{0,15}),"link":"([0-9a-f]{64})"\}$/;
const markAnywhere = /\n\{"synced":([1-9][0-9]{0,15}),"link":"[0-9a-f]{64}"\}\n/g;
export const markBytes = 120;
/** How every mark begins, and how it ends. No group ends so: those end in `]}`. */
export const markStart = '\n{"synced":';
export const markEnd = '"}\n';

export function decodeMark(line: Buffer): Head | undefined {
  const match = mark.exec(line.toString("latin1"));
  return match === null ? undefined : { position: Number(match[1]), link: match[2] as string };
}

/** The highest position that some mark in these bytes says was durable; 0 without one. */
export function highestMark(bytes: Uint8Array): number {
  let highest = 0;
  for (const match of Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    .toString("latin1")
    .matchAll(markAnywhere)) {
    highest = Math.max(highest, Number(match[1]));
  }
  return highest;
}

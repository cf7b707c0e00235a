import type { JsonObject } from "@gatehouse/base";
import { decodeGroup, decodeHeader, decodeMark, hashChanges, linkOf } from "../../packages/store/src/log-format.ts";

/** A log in parts that can be changed one by one and written again as they stand, fitting or not. */
export interface LogText {
  format: number;
  base: number;
  baseLink: string;
  groups: LogGroup[];
}

export interface LogGroup {
  first: number;
  link: string;
  seal: string | undefined;
  entries: JsonObject[];
  /** Those of each entry. */
  changes: LogChange[][];
  /** What the mark behind it says; absent where none stands. */
  mark: { position: number; link: string } | undefined;
}

export interface LogChange {
  key: string;
  was: number;
  form?: number;
  value: JsonObject | null;
}

export function parseLog(bytes: Buffer): LogText {
  const [first = Buffer.alloc(0), ...lines] = splitLines(bytes);
  const header = decodeHeader(first);
  if (header === undefined) throw new Error("there is no header");
  const groups: LogGroup[] = [];
  for (const line of lines) {
    const group = decodeGroup(line);
    const mark = decodeMark(line);
    const last = groups.at(-1);
    if (group !== undefined) {
      const { link, seal } = group;
      const read = { entries: parse(group.entries), changes: parse(group.changes) };
      groups.push({
        first: group.first,
        link,
        seal,
        mark: undefined,
        ...(read as Pick<LogGroup, "entries" | "changes">),
      });
    } else if (mark !== undefined && last !== undefined) last.mark = mark;
  }
  const log = { format: header.format, base: header.position, baseLink: header.link, groups };
  if (!encodeLog(log).equals(bytes)) throw new Error("a log that is read and written is another one");
  return log;
}

const parse = (bytes: Buffer): unknown => JSON.parse(bytes.toString("utf8"));

function splitLines(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at);
    lines.push(bytes.subarray(at, end));
    at = end + 1;
  }
  return lines;
}

export function encodeLog({ format, base, baseLink, groups }: LogText): Buffer {
  const header = `{"format":${format},"base":${base},"baseLink":"${baseLink}"}\n`;
  return Buffer.from(`${header}${groups.map(encodeGroupText).join("")}`);
}

export function encodeGroupText(group: LogGroup): string {
  const entries = JSON.stringify(group.entries);
  const seal = group.seal === undefined ? "" : `"seal":"${group.seal}",`;
  const start = `{"first":${group.first},"count":${group.entries.length},"link":"${group.link}",${seal}`;
  const line = `${start}"entriesBytes":${Buffer.byteLength(entries)},"entries":${entries},"changes":${JSON.stringify(group.changes)}}\n`;
  const { mark } = group;
  return mark === undefined ? line : `${line}\n{"synced":${mark.position},"link":"${mark.link}"}\n`;
}

/** Numbers, links and marks as the format wants them: whoever can read the file can do so. The seals are left. */
export function chain({ base, baseLink, groups }: LogText): void {
  let [position, link] = [base, baseLink];
  for (const group of groups) {
    group.first = position + 1;
    const changes = hashChanges(JSON.stringify(group.changes));
    link = linkOf(link, group.first, group.entries.length, JSON.stringify(group.entries), changes);
    group.link = link;
    position += group.entries.length;
    if (group.mark !== undefined) group.mark = { position, link };
  }
}

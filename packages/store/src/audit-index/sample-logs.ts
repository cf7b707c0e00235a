import { encodeGroup, encodeMark, genesis } from "../log-format.ts";
import type { AuditQuery, Head, LoggedEntry } from "../port.ts";
import type { AuditIndex } from "./audit-index.ts";

export interface OpenedIndex {
  readonly index: AuditIndex;
  /** Opens the same archive again, as after a restart. */
  readonly reopen: () => Promise<AuditIndex>;
}

/** Opens a new, empty index that the suite closes after the test. */
export type Start = () => Promise<OpenedIndex>;

export interface BuiltLog {
  readonly bytes: Buffer;
  /** The head after each group. */
  readonly heads: readonly Head[];
}

/** Log bytes of these groups, as the store writes them: each group is followed by its mark. */
export function buildLog(groups: readonly (readonly LoggedEntry[])[], after: Head = genesis): BuiltLog {
  const parts: Uint8Array[] = [];
  const heads: Head[] = [];
  let head = after;
  for (const entries of groups) {
    const texts = entries.map((entry) => JSON.stringify(entry));
    const changes = entries.map((entry) => JSON.stringify([{ key: entry.subject, newVersion: 1, value: {} }]));
    const group = encodeGroup(head, texts, changes);
    head = group.head;
    heads.push(head);
    parts.push(group.bytes, encodeMark(head));
  }
  return { bytes: Buffer.concat(parts), heads };
}

export function entryOf(at: number, over: Partial<LoggedEntry> = {}): LoggedEntry {
  return { at, actor: "user_a", action: "plugin.installed", subject: "plugin/netguard", ...over };
}

/** The positions a search finds, in its order. */
export async function positions(index: AuditIndex, query: Partial<AuditQuery>): Promise<number[]> {
  return (await index.search({ limit: 100, ...query })).items.map(({ position }) => position);
}

/** Groups of one entry each. */
export function singles(count: number, from = 1): LoggedEntry[][] {
  return Array.from({ length: count }, (_, offset) => [entryOf(from + offset)]);
}

export function headAt(log: BuiltLog, group: number): Head {
  const head = log.heads[group];
  if (head === undefined) throw new Error(`there is no group ${group}`);
  return head;
}

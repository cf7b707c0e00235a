import type { AuditEntry } from "@gatehouse/contract";
import { archiveName } from "./check-archive.ts";
import type { FileStore } from "./file-store.ts";
import { logName } from "./log-reader.ts";

export type OpeningEntry = AuditEntry<"store.end_cut" | "audit.archive_rebuilt">;

/** What opening a store changed in its files, to be committed by whoever opened it: it was never asked for. */
export function openingEntries(
  { cut, rebuilt }: Pick<FileStore, "cut" | "rebuilt">,
  by: { readonly actor: string; readonly at: number },
): readonly OpeningEntry[] {
  const entries: OpeningEntry[] = [];
  // Never acknowledged to anybody; still, bytes that were there and are not any more deserve a record.
  if (cut !== undefined) entries.push({ ...by, action: "store.end_cut", subject: logName, detail: cut });
  if (rebuilt !== undefined) {
    entries.push({ ...by, action: "audit.archive_rebuilt", subject: archiveName, detail: rebuilt });
  }
  return entries;
}

import type { AuditEntry } from "@gatehouse/contract";
import type { LoggedEntry } from "@gatehouse/store";

/**
 * An entry that no program writes, for tests of what keeps, searches or shows entries: its action is made up, or its detail
 * has another form than the contract's table says. A log may hold such entries, of versions before and after this one.
 */
export function inventedEntry(entry: LoggedEntry): AuditEntry {
  return entry as AuditEntry;
}

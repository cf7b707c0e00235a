import type { FaultKind } from "@gatehouse/base";

/** The part of the fault table that speaks of what is kept: commits, files that refuse the start, secrets and blobs. */
export const storeFaults = {
  // The store
  "store.entry_too_large": {
    kind: "too_large",
    title: "The audit entry is too large",
    todo: "Keep an entry under 16 KiB.",
  },
  "store.commit_too_large": {
    kind: "too_large",
    title: "The commit is too large",
    todo: "Keep a commit under 1 MiB; put large bytes into a blob.",
  },
  "store.conflict": {
    kind: "conflict",
    title: "Another change came first",
    todo: "Read the record again and repeat the change.",
  },
  "store.malformed": {
    kind: "malformed",
    title: "The commit does not have the expected form",
    todo: "Keys are kind/id; values are JSON objects of the form of their kind.",
  },
  "store.unavailable": {
    kind: "unavailable",
    title: "The store does not answer",
    todo: "Nothing was changed. Try again in a moment.",
  },
  "store.outcome_unknown": {
    kind: "unavailable",
    title: "Nobody knows whether the change was made",
    todo: "Look whether it was made before you repeat it: it was sent, and no answer came.",
  },
  "store.closed": {
    kind: "unavailable",
    title: "The store is closed",
    todo: "Try again after the server has restarted.",
  },
  "store.disk_full": {
    kind: "full",
    title: "The disk is full",
    todo: "Free space in the data directory; reads go on, changes are refused until then.",
  },
  "store.locked": {
    kind: "startup",
    title: "Another process uses the data directory",
    todo: "Stop the other process first; one directory belongs to one process.",
  },
  "store.key_missing": {
    kind: "startup",
    title: "The master key is missing",
    todo: "Restore master.key from the backup that holds this state.json; for a new server, remove SERVICE_MASTER_KEY_FILE and one is made.",
  },
  "store.key_malformed": {
    kind: "startup",
    title: "The master key file is malformed",
    todo: "The file holds 64 lowercase hexadecimal digits and a line feed; restore it from the backup.",
  },
  "store.key_wrong": {
    kind: "startup",
    title: "The master key is not the one this state was written with",
    todo: "Mount the master.key that was backed up together with state.json.",
  },
  "store.state_damaged": {
    kind: "startup",
    title: "state.json is damaged or was edited",
    todo: "Restore it from the backup, or look at `gatehouse state recover --data-dir DIR`.",
  },
  "store.log_damaged": {
    kind: "damaged",
    title: "The audit log is damaged",
    todo: "Restore the four files from one backup, or look at `gatehouse state recover --data-dir DIR`.",
  },
  "store.files_of_different_moments": {
    kind: "damaged",
    title: "The data files are of different moments",
    todo: "Restore all four files from the same backup, or look at `gatehouse state recover --data-dir DIR`.",
  },
  "store.format_unknown": {
    kind: "startup",
    title: "The data was written by a newer version",
    todo: "Start the version that wrote it, or a newer one.",
  },
  "store.kind_unknown": {
    kind: "startup",
    title: "The data holds records of a kind this version does not know",
    todo: "Start the version that wrote them, or a newer one.",
  },
  "store.record_unreadable": {
    kind: "startup",
    title: "A record does not have the form of its kind",
    todo: "Restore the four files from one backup, or start the version that wrote the record.",
  },
  "store.archive_damaged": {
    kind: "damaged",
    title: "The audit archive in logs.db is damaged",
    todo: "Restore the four files from one backup, or look at `gatehouse state recover --data-dir DIR`.",
  },
  "store.directory_unusable": {
    kind: "startup",
    title: "The data directory cannot be used",
    todo: "Make the directory writable for the user the server runs as.",
  },
  "secret.unreadable": {
    kind: "internal",
    title: "A sealed secret cannot be opened",
    todo: "The record was altered or sealed with another key; restore the four files from one backup.",
  },
  "blob.too_large": {
    kind: "too_large",
    title: "The bytes are too many for one blob",
    todo: "Stay within the size the detail names.",
  },
  "blob.unknown": {
    kind: "unknown",
    title: "There is no such blob",
    todo: "Upload the bytes again.",
  },
} as const satisfies Record<string, { kind: FaultKind; title: string; todo: string }>;

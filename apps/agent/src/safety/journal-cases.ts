import type { JournalDataOf, JournalKind } from "./journal-record.ts";

export const sampleTask = `task_${"0".repeat(25)}1`;
export const otherTask = `task_${"0".repeat(25)}2`;

/** Good data for every kind of record. */
export const sampleData: { readonly [Kind in JournalKind]: JournalDataOf<Kind> } = {
  accepted: {
    approvalId: "ab".repeat(16),
    planDigest: "cd".repeat(32),
    index: 0,
    section: { node: "node_1", operations: [], preconditions: [] },
    rollbackWindow: 60,
    confirmation: "path",
    persons: ["Ada"],
  },
  snapshotted: { copies: [{ subject: "file:/etc/motd", sha256: "ef".repeat(32) }] },
  armed: { deadlineMs: 90_000 },
  applying: {},
  "applied-op": { operation: 0 },
  checking: {},
  probe: { nonce: "09".repeat(32) },
  confirmed: {},
  restoring: { code: "confirm.late", detail: "no proof before the deadline" },
  ended: {
    approvalId: "ab".repeat(16),
    planDigest: "cd".repeat(32),
    index: 0,
    outcome: "applied",
    code: "",
    detail: "",
    foreign: [],
  },
};

/** A change from its first record to its end, as it goes when all goes well. */
export const wholeChange: readonly JournalKind[] = [
  "accepted",
  "snapshotted",
  "armed",
  "applying",
  "applied-op",
  "checking",
  "probe",
  "confirmed",
  "ended",
];

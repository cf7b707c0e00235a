/** Figures of the check in the background. */
export const auditLimits = {
  /** How often all of the log is read, with everything that search goes by. */
  wholeEveryMs: 24 * 60 * 60 * 1_000,
  /** How often what is new since the last walk is read. A minute without a record reads nothing. */
  newEveryMs: 60_000,
  /** How often it is looked whether a day has passed since old records were pruned. */
  retentionEveryMs: 60 * 60 * 1_000,
} as const;

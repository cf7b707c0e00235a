const dayMs = 24 * 60 * 60_000;

export const overviewLimits = {
  /** Characters of one text: names and reasons come from outside. */
  textChars: 400,
  /** How many names a line of many says. */
  namedHosts: 3,
  /** A reading of all nodes serves everybody for so long while nothing of a node changes; and between two of them is a pause. */
  hosts: { freshMs: 5_000, pauseMs: 250 },
  /** A host's clock that is further off is worth a look; approvals are good from one minute to another. */
  clockMs: 60_000,
  /** How long a plan that left hosts neither as before nor as planned is broken, and one that was taken back. */
  failedMs: 7 * dayMs,
  rolledBackMs: dayMs,
  /** How long before its end something is named; what has ended is named for as long. */
  tokenMs: 7 * dayMs,
  keyMs: 30 * dayMs,
  /** How often it is looked whether telemetry drops rows, and how long it counts that it did. */
  dropLookMs: 60_000,
  dropCountsMs: 10 * 60_000,
} as const;

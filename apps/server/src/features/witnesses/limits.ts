/** Figures of the heads that hosts keep. */
export const witnessLimits = {
  /** A head is made so often, when the log has moved. */
  headEveryMs: 60_000,
  /** Between two pages of rows, over all hosts: a hundred a second. */
  pageEveryMs: 10,
  /** Hosts that are told of a head in one go; others have the event loop in between. */
  toldAtOnce: 500,
  /** Times in an hour that one host's word is written down anew: one that says now this and now that does not fill the log. */
  changesPerHour: 12,
} as const;

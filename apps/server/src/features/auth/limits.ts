/** Every number at which identity says no or lets go. */
export const authLimits = {
  /** A session ends then, however busy it is. */
  sessionMs: 12 * 60 * 60_000,
  /** And after so long without a request. */
  idleMs: 2 * 60 * 60_000,
  sessionsPerUser: 20,
  tokensPerUser: 100,
  userAgentChars: 200,
  /** Failed attempts of one account before it has to wait, and the longest it waits. */
  freeFailures: 3,
  longestDelayMs: 60_000,
  /** Failures are forgotten after so long without another. */
  rememberFailuresMs: 60 * 60_000,
  /** Names of nobody whose failures are remembered at once. */
  strangerNames: 10_000,
  /** Audit records of refused attempts in one minute that name their address; the rest is summed up per account. */
  refusedRecordsPerMinute: 256,
  /** Audit records that are read at the start to learn of recent refused attempts. */
  primedRecords: 5_000,
  /** How long the result of an Idempotency-Key is kept. */
  idempotencyMs: 24 * 60 * 60_000,
  /** Expired and revoked tokens stay in the list for so long. */
  keepDeadTokensMs: 30 * 24 * 60 * 60_000,
  /** One sweep looks at so many records and makes so many commits at most; the next one goes on. */
  sweepEveryMs: 60_000,
  sweptRecords: 1_000,
  sweptCommits: 50,
} as const;

/** Decisions about the set of owners, and about names, take this turn as well. */
export const everybody = "everybody";

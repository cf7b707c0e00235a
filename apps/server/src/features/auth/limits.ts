/** Every number at which identity says no or lets go. */
export const authLimits = {
  /** A session ends then, however busy it is. */
  sessionMs: 12 * 60 * 60_000,
  /** And after so long without a request. */
  idleMs: 2 * 60 * 60_000,
  sessionsPerUser: 20,
  tokensPerUser: 100,
  userAgentChars: 200,
  /** Failed attempts of one lane before it has to wait, and the longest it waits while few are at it. */
  freeFailures: 3,
  longestDelayMs: 60_000,
  /** Each delay is longer by up to this part of itself, so that nobody knows the moment at which it ends. */
  delayJitter: 0.25,
  /** Failures are forgotten after so long without another. */
  rememberFailuresMs: 24 * 60 * 60_000,
  /**
   * Failures of strangers at one account, within about an hour, that are nothing unusual. With more of them the delays of
   * strangers grow by the square of the excess, up to so many times: ten times as many blocks get twice the guesses.
   */
  usualFailures: 100,
  usualFailuresMs: 60 * 60_000,
  largestCrowdFactor: 600,
  /** Cells of the two sketches that count strangers' failures: 9 MiB and 1 MiB when all of them are in use. */
  strangerCells: 1 << 20,
  crowdCells: 1 << 16,
  /** Lanes of devices, of places that are known and of sessions whose failures are remembered at once. */
  ownLanes: 10_000,
  /** Addresses of good sign-ins that are remembered per user, and how far back the log is read for them at the start. */
  knownAddresses: 64,
  knownAddressMs: 90 * 24 * 60 * 60_000,
  /** How long a browser is known after a good sign-in. */
  deviceMs: 365 * 24 * 60 * 60_000,
  /** Refused attempts that are told apart by address within a minute; beyond, only accounts are. */
  refusedRecordsPerMinute: 256,
  /** Audit records of refused attempts that name their address: so many at once, and so many an hour in the long run. */
  refusedRecords: { burst: 60, perHour: 12 },
  /** What goes beyond is summed up: at once, then so often, and so many accounts are told apart. */
  refusedSumsEveryMs: 60 * 60_000,
  refusedSums: 16,
  /** Audit records that are read at the start to learn of recent refused attempts. */
  primedRecords: 5_000,
  /** Expired and revoked tokens stay in the list for so long. */
  keepDeadTokensMs: 30 * 24 * 60 * 60_000,
  /** One sweep looks at so many records and makes so many commits at most; the next one goes on. */
  sweepEveryMs: 60_000,
  sweptRecords: 1_000,
  sweptCommits: 50,
} as const;

/** Decisions about the set of owners, and about names, take this turn as well. */
export const everybody = "everybody";

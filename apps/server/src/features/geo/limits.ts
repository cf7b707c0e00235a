const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Every number at which the lookup waits, forgets or refuses. */
export const geoLimits = {
  /** Between the end of one question and the next. */
  distanceMs: second,
  /** After failures in a row, twice as long each time; what `Retry-After` says counts up to the second. */
  pauseMs: 2 * second,
  mostPauseMs: 10 * minute,
  mostRetryAfterMs: hour,
  /** An address whose question failed is left alone for so long, twice as long each time. */
  leaveMs: minute,
  mostLeaveMs: 6 * hour,
  /** An address for which nobody has looked since is not asked for. */
  wantMs: 10 * minute,
  wanted: 10_000,
  left: 10_000,
  /** Answers that could not be kept on the disk. */
  unkept: 10_000,
  foundMs: 30 * day,
  unfoundMs: 7 * day,
} as const;

export const lookupRequest = { requestBytes: 0, responseBytes: 32 * 1024, connectMs: 5_000, totalMs: 10_000 } as const;

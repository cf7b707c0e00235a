const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/** Every number at which webhooks wait, skip or give up. */
export const deliveryLimits = {
  /** Between the end of one attempt and the next; behind the last a notice is given up. */
  pausesMs: [10 * second, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour],
  /** A pause is longer by up to this part of itself, so that many do not come back at one moment. */
  jitter: 0.2,
  /** A webhook that is further behind, or by a longer time, skips the oldest, and the next notice says how many. */
  waiting: 1_000,
  oldestMs: 24 * hour,
  /** So many attempts in a row have failed before it is said in the audit log: what turns once a minute fills no log. */
  failingAfter: 3,
  /** Entries that wait while records are read; beyond, they are read from the log. */
  heard: 5_000,
  pageItems: 500,
  /** How far the log was read is kept so often while nothing waits. */
  beatMs: minute,
  /** Nodes that one notice names. */
  shownHosts: 100,
  textCharacters: 400,
} as const;

export const noticeRequest = {
  requestBytes: 64 * 1024,
  responseBytes: 64 * 1024,
  connectMs: 5_000,
  totalMs: 10_000,
} as const;

/** What a host takes of artifacts. */
export const artifactLimits = {
  /** Of one change. */
  count: 64,
  /** Of one; as plans have it. */
  bytes: 512 * 1024 * 1024,
  /** Of all that are on the disk. */
  allBytes: 1024 * 1024 * 1024,
  /** One part of so many of the disk stays free, whatever comes. */
  freeShare: 10,
  /** Since its last piece came. A transfer that moves is not cut, however slow it is. */
  standstillMs: 10 * 60_000,
  /** Since its first byte: whoever sends a byte now and then holds the disk for no longer. */
  keptMs: 24 * 3_600_000,
} as const;

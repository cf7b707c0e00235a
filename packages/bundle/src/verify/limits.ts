/** How much of a bundle and of a trust policy is ever read. What is larger is refused, not cut. */
export const bundleLimits = {
  manifestBytes: 64 * 1024,
  artifactBytes: 128 * 1024 * 1024,
  /** Entries of the plugin directory that are judged. */
  entries: 2_000,
  /** Entries of the plugin directory that are read at all, so that a flooded one costs a bounded time. */
  entriesRead: 10_000,
  signatures: 8,
  nav: 16,
  enhancements: 16,
  egressHosts: 32,
  nameCharacters: 80,
  versionCharacters: 64,
  pathCharacters: 200,
} as const;

export const trustLimits = {
  bytes: 1024 * 1024,
  publishers: 1_000,
  keysOfPublisher: 32,
  idPrefixes: 64,
  revoked: 10_000,
} as const;

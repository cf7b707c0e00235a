/** Every number at which artifacts are refused or forgotten. */
export const artifactsLimits = {
  /** Of all artifacts together, as they were announced. */
  bytes: 16 * 1024 * 1024 * 1024,
  /** How many there are. */
  artifacts: 1_000,
  /** One that has not arrived whole by then is removed. */
  arrivingMs: 24 * 60 * 60 * 1_000,
  /** How often such ones are looked for, and those whose joining was interrupted. */
  sweepMs: 10 * 60 * 1_000,
} as const;

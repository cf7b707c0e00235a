/** Every number at which alerts are cut off. */
export const alertLimits = {
  /** Rules that somebody made, beside those that are always there. */
  rules: 100,
  silences: 200,
  /** Alerts that are open at once; more are counted and not kept. */
  open: 10_000,
  /** Alerts that one entry of the audit log names. */
  anEntry: 100,
  /** Minutes of a host that come later than this open nothing. */
  lateMs: 10 * 60_000,
  tags: 16,
  nodes: 100,
  holdMinutes: 60,
  silenceDays: 30,
} as const;

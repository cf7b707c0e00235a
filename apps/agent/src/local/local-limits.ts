/** What the helper's socket takes. Whoever goes beyond is told `local.limit` and is cut off; the others go on. */
export const localLimits = {
  /** A question. */
  messageBytes: 1024 * 1024,
  /** An answer: the largest is a signed state, in base64. */
  answerBytes: 3 * 1024 * 1024,
  connections: 8,
  /** Of the network part: whatever its server has it ask, root finds a place. */
  questionsAtOnce: 5,
  messagesPerSecond: 50,
  /** Over all connections: messages that are not whole yet, and answers that nobody has read. */
  bufferedBytes: 4 * 1024 * 1024,
  /** From the first byte of a message to its last. */
  messageMs: 10_000,
  /** A connection on which nothing is asked holds a place that another may need. */
  silentMs: 30_000,
  /** Without any connection the helper ends; systemd starts it again for the next one. */
  idleMs: 60_000,
} as const;

/** How much one plan may hold. What a plugin is asked for it, and what it answers, may be as long. */
export const planSize = {
  /** Of its byte form. */
  bytes: 16 * 1024 * 1024,
  /** Each node has one section. */
  nodes: 10_000,
} as const;

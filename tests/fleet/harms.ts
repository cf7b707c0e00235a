/** What must never happen, in the words of the last line. */
export const harms = {
  forsaken: "agents or beats left without an answer",
  overreach: "changes beyond an agent's own node",
} as const;

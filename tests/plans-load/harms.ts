/** What must never happen, in the words of the last line. */
export const harms = {
  uncounted: "tasks that did not end once, and alike for all",
  early: "waves that began before the one before had ended",
} as const;

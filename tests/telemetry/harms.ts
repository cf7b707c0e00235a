/** What must never happen, in the words of the last line. */
export const harms = {
  uncounted: "hours that are missing or too many",
  wrong: "values that are not as they were told",
} as const;

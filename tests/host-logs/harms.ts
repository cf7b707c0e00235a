/** What must never happen, in the words of the last line. */
export const harms = {
  wrong: "answers that were not those of a look at every line",
  lost: "batches that were kept in part",
} as const;

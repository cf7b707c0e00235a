/** What must never happen, in the words of the last line. */
export const harms = {
  differs: "texts that differ",
  accepted: "hostile strings accepted",
  started: "programs started for them",
  argv: "argument lists that differ",
} as const;

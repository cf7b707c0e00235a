/** What must never happen, in the words of the suite's last line. Anything else that goes wrong has no name. */
export const harms = {
  accepted: "edits accepted silently",
  disagreed: "doors that disagree",
  unwitnessed: "cut ends that a witness did not name",
} as const;

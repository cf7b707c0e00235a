/** What must never happen to a store, in the words of the suite's last line. Anything else that goes wrong has no name. */
export const harms = {
  lost: "acknowledged records lost",
  undetected: "undetected corruptions",
  other: undefined,
} as const;

export type Harm = keyof typeof harms;

/** What is wrong with a store after it was hurt. */
export interface Verdict {
  readonly kind: Harm;
  readonly what: string;
}

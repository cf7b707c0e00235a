/** What differs between one program of ours and another. */
export interface Program {
  /** As it is typed. */
  readonly name: string;
  /** The first line of its help. */
  readonly about: string;
  /** The last lines of its help; the exit codes stand there. */
  readonly closing: readonly string[];
  /** Whether a defect says where it happened. A compiled program would show its own source text. */
  readonly defects: "with-place" | "without-place";
  /** Faults, by their codes, that have another exit code than 1. */
  readonly exitCodes?: Readonly<Record<string, number>>;
  /** Turns a hint into one that can be typed where it is shown. */
  readonly hint?: (todo: string) => string;
}

export const lanes = [1, 2, 3] as const;

/** A row of the gate's table in `tools/ci.ts`. */
export interface Suite {
  /**
   * Suites of one lane run one after the other and the lanes beside each other; the third is for what waits rather than computes, as
   * there are two cores. When all lanes have ended: `alone`, one after the other with the machine's attention, and `beside` them, with a low
   * priority, what only computes, two of them at a time.
   */
  readonly lane: (typeof lanes)[number] | "alone" | "beside";
  /** Its share of the gate's time on two quiet cores. */
  readonly minutes: number;
  /** Whether it takes `--seed`. */
  readonly seeded: boolean;
  /** How often it does each thing, in the gate and in the whole form. */
  readonly counts: Readonly<Record<string, { readonly gate: number; readonly soak: number }>>;
}

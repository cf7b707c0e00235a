export const lanes = [1, 2, 3] as const;

/** A row of the gate's table in `tools/ci.ts`. */
export interface Suite {
  /**
   * Suites of one lane run one after the other and the lanes beside each other: three of them on two cores, because each waits at
   * times. When all lanes have ended: `alone`, one after the other with the machine's attention, and `beside` them, with a low
   * priority, what only computes or only waits, two of them at a time.
   */
  readonly lane: (typeof lanes)[number] | "alone" | "beside";
  /** Its share of the gate's time on two quiet cores. */
  readonly minutes: number;
  /** Whether it takes `--seed`. */
  readonly seeded: boolean;
  /** How often it does each thing, in the gate and in the whole form. */
  readonly counts: Readonly<Record<string, { readonly gate: number; readonly soak: number }>>;
}

/** A row of the gate's table in `tools/ci.ts`. */
export interface Suite {
  /** Suites of one lane run one after the other; the first two lanes run beside each other, and the third when both have ended. */
  readonly lane: 1 | 2 | 3;
  /** Its share of the gate's time on two quiet cores. */
  readonly minutes: number;
  /** Whether it takes `--seed`. */
  readonly seeded: boolean;
  /** How often it does each thing, in the gate and in the whole form. */
  readonly counts: Readonly<Record<string, { readonly gate: number; readonly soak: number }>>;
}

import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { StateMark, type State } from "./StateMark.tsx";
import styles from "./Stepper.module.css";

export type Step = {
  key: string;
  title: ReactNode;
  state: State /** The state's word. */;
  word: string;
  note?: ReactNode;
};

/** Steps in order: across on a desk, down on a phone. */
export function Stepper({ label, steps, current }: { label: string; steps: readonly Step[]; current?: string }) {
  return (
    <ol className={styles.stepper} aria-label={label}>
      {steps.map((step) => (
        <li
          key={step.key}
          className={cx(styles.step, step.state === "ok" && styles.done)}
          aria-current={step.key === current ? "step" : undefined}
        >
          <span className={styles.title}>{step.title}</span>
          <StateMark state={step.state} word={step.word} />
          {step.note && <span className={styles.note}>{step.note}</span>}
        </li>
      ))}
    </ol>
  );
}

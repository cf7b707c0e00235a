import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/StateMark.tsx";
import styles from "./StepTrack.module.css";
import type { TrackStep } from "../../widgets/Plans/task-words.ts";

/** How far a host is with a change, from its own journal: a line of steps, the one under way half filled. */
export function StepTrack({ steps }: { readonly steps: readonly TrackStep[] }) {
  return (
    <ol className={styles.track} aria-label="Steps on the host">
      {steps.map(({ word, state, isNow }) => (
        <li
          key={word}
          className={cx(styles.step, state === "ok" && styles.passed, isNow && styles.now)}
          aria-current={isNow ? "step" : undefined}
        >
          <Mark state={state} size={9} />
          <span>{word}</span>
        </li>
      ))}
    </ol>
  );
}

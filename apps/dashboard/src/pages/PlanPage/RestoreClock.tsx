import type { PlanTask } from "@gatehouse/contract/routes";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/StateMark.tsx";
import { useSeconds } from "../../ui/use-clock.ts";
import { restoreClock } from "../../widgets/Plans/restore-clock.ts";
import styles from "./RestoreClock.module.css";

export interface RestoreClockProps {
  readonly task: Pick<PlanTask, "step">;
  /** The approved seconds after which the host takes the change back. */
  readonly window: number;
}

/** How long a host still waits for its proof: at the right end of the line it restores itself. */
export function RestoreClock({ task: { step }, window }: RestoreClockProps) {
  const now = useSeconds();
  const armedAt = step?.armedAt ?? null;
  if (armedAt === null) {
    return <p className={styles.words}>Taken back by itself {window} s after it was armed, unless confirmed.</p>;
  }
  const { passed, words, isLate } = restoreClock(armedAt, window, now);
  return (
    <div className={cx(styles.clock, isLate && styles.late)}>
      <svg className={styles.line} height="12" aria-hidden="true">
        <line className={styles.ahead} x1="0" x2="100%" y1="6" y2="6" />
        <line className={styles.gone} x1="0" x2={`${passed}%`} y1="6" y2="6" />
      </svg>
      <Mark state="back" size={9} />
      <span className={styles.words}>{words}</span>
    </div>
  );
}

import type { PlanTask } from "@gatehouse/contract/routes";
import { cx } from "../../ui/cx.ts";
import { sayTold } from "../../widgets/Plans/task-words.ts";
import styles from "./PlanPage.module.css";

/** What operations that only read have told: quiet, as the host wrote it, and never longer than a part of the screen. */
export function ReadLogs({ told }: Pick<PlanTask, "told">) {
  return told.map((one) => (
    <div key={one.operation}>
      <p className={styles.quiet}>{sayTold(one)}</p>
      {one.lines.length > 0 && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
        <pre
          className={cx(styles.said, styles.told)}
          tabIndex={0}
          aria-label={`What operation ${one.operation + 1} read`}
        >
          <code>{one.lines.join("\n")}</code>
        </pre>
      )}
    </div>
  ));
}

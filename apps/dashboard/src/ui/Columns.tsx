import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./Columns.module.css";

export type ColumnsProps = {
  main: ReactNode;
  beside: ReactNode;
  /** On a narrow page the parts of both columns are one list, which `order` sorts; otherwise one column follows the other. */
  isMixed?: boolean;
  /** What one decides by stays in sight while the other column is read. */
  isHeld?: boolean;
};

/** What a page is about, and beside it what one decides by. */
export function Columns({ main, beside, isMixed = false, isHeld = false }: ColumnsProps) {
  return (
    <div className={cx(styles.columns, isMixed && styles.mixed, isHeld && styles.held)}>
      <div className={styles.stack}>{main}</div>
      <div className={styles.stack}>{beside}</div>
    </div>
  );
}

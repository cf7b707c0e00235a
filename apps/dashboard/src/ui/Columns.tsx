import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import styles from "./Columns.module.css";

export type ColumnsProps = {
  main: ReactNode;
  beside: ReactNode;
  /** On a narrow page the parts of both columns are one list, which `order` sorts; otherwise one column follows the other. */
  isMixed?: boolean;
};

/** What a page is about, and beside it what one decides by. */
export function Columns({ main, beside, isMixed = false }: ColumnsProps) {
  return (
    <div className={cx(styles.columns, isMixed && styles.mixed)}>
      <div className={styles.stack}>{main}</div>
      <div className={styles.stack}>{beside}</div>
    </div>
  );
}

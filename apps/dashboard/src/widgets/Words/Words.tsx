import type { ReactNode } from "react";
import styles from "./Words.module.css";

/** A page that is only a sentence or two and a way on. */
export function Words({ title, children, actions }: { title: string; children: ReactNode; actions?: ReactNode }) {
  return (
    <section className={styles.words}>
      <h1>{title}</h1>
      {children}
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </section>
  );
}

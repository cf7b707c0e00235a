import type { ReactNode } from "react";
import styles from "./PageHead.module.css";

export type PageHeadProps = {
  title: ReactNode;
  /** One line of facts about the object, parted by space. */
  meta?: ReactNode;
  actions?: ReactNode;
};

/** The one title of a screen, with what can be done to it at the right. */
export function PageHead({ title, meta, actions }: PageHeadProps) {
  return (
    <header className={styles.head}>
      <div className={styles.words}>
        <h1>{title}</h1>
        {meta && <div className={styles.meta}>{meta}</div>}
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </header>
  );
}

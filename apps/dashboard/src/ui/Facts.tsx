import { Fragment, type ReactNode } from "react";
import styles from "./Facts.module.css";

export type Fact = { label: string; value: ReactNode /** A quieter line under the value. */; note?: ReactNode };

/** A definition list: a column of labels, a column of values, hairlines between. */
export function Facts({ items }: { items: readonly Fact[] }) {
  return (
    <dl className={styles.facts}>
      {items.map((item) => (
        <Fragment key={item.label}>
          <dt>{item.label}</dt>
          <dd>
            {item.value}
            {item.note && <div className={styles.note}>{item.note}</div>}
          </dd>
        </Fragment>
      ))}
    </dl>
  );
}

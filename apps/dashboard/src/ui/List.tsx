import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Link } from "./Link.tsx";
import { StateMark, type State } from "./StateMark.tsx";
import styles from "./List.module.css";

/** Hairline rows. Takes ListItem children. */
export function List({ label, children }: { label?: string; children: ReactNode }) {
  return (
    <ul className={styles.list} aria-label={label}>
      {children}
    </ul>
  );
}

export type ListItemProps = {
  state?: State;
  /** The state's word. Read out, and left from sight because the title says it. */
  stateWord?: string;
  title: ReactNode;
  /** Makes the title a link and the whole row follow it. */
  href?: string | undefined;
  /** The second line: the cause, the consequence. */
  line?: ReactNode;
  /** Stands at the right end, usually a Time. */
  time?: ReactNode;
  /** The time runs out. */
  soon?: boolean;
  actions?: ReactNode;
};

export function ListItem({ state, stateWord, title, href, line, time, soon = false, actions }: ListItemProps) {
  return (
    <li className={cx(styles.item, href !== undefined && styles.leads, state === undefined && styles.markless)}>
      {state && (
        <span className={styles.mark}>
          <StateMark state={state} word={stateWord ?? ""} hideWord />
        </span>
      )}
      <div className={styles.title}>
        {href === undefined ? (
          title
        ) : (
          <Link href={href} look="bare" className={styles.link}>
            {title}
          </Link>
        )}
      </div>
      {time && <div className={cx(styles.time, soon && styles.soon)}>{time}</div>}
      {line && <div className={styles.line}>{line}</div>}
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  );
}

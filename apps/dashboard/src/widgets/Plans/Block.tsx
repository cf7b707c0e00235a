import { type ReactNode, useId } from "react";
import { Mark, type State } from "../../ui/StateMark.tsx";
import styles from "./Block.module.css";

export interface BlockProps {
  readonly title: string;
  readonly aside?: ReactNode;
  readonly children: ReactNode;
}

/** A part of the decision: a quiet heading, and what it says. */
export function Block({ title, aside, children }: BlockProps) {
  const id = useId();
  return (
    <section className={styles.block} aria-labelledby={id}>
      <div className={styles.blockHead}>
        <h2 id={id}>{title}</h2>
        {aside !== undefined && <span>{aside}</span>}
      </div>
      {children}
    </section>
  );
}

export function Lines({ children }: { readonly children: ReactNode }) {
  return <ul className={styles.lines}>{children}</ul>;
}

export function Line({ state, children }: { readonly state: State; readonly children: ReactNode }) {
  return (
    <li>
      <Mark state={state} size={9} />
      <span>{children}</span>
    </li>
  );
}

import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Mark, type State } from "./StateMark.tsx";
import styles from "./Badge.module.css";

export type BadgeProps = {
  look?: "plain" | "firm" | "warn" | "bad";
  state?: State;
  mono?: boolean;
  children: ReactNode;
};

/** A small fact about a thing, such as its kind or its scope. A state is a StateMark, not a badge. */
export function Badge({ look = "firm", state, mono = false, children }: BadgeProps) {
  return (
    <span className={cx(styles.badge, styles[look], mono && styles.mono)}>
      {state && <Mark state={state} size={9} />}
      {children}
    </span>
  );
}

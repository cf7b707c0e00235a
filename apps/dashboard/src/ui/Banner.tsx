import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Mark, type State } from "./StateMark.tsx";
import styles from "./Banner.module.css";

export type BannerProps = {
  state: Extract<State, "wait" | "warn" | "bad" | "off" | "quiet" | "run" | "ok" | "back" | "refused">;
  title: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  /** Read out as soon as it appears. */
  live?: boolean;
};

/** Something that holds for the whole page until it is dealt with. */
export function Banner({ state, title, children, action, live = false }: BannerProps) {
  return (
    <div className={cx(styles.banner, styles[state])} role={live ? "status" : undefined}>
      <Mark state={state} />
      <div className={styles.words}>
        <strong>{title}</strong> {children}
      </div>
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

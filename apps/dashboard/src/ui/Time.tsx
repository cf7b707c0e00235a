import { cx } from "./cx.ts";
import { absoluteTime, relativeTime } from "./relative-time.ts";
import styles from "./Time.module.css";
import { useClock } from "./use-clock.ts";

export type TimeProps = {
  /** ISO text, milliseconds or a Date. */
  at: string | number | Date;
  /** A tab stop that shows the absolute time on focus. Leave off in long lists: the row's page has it. */
  focusable?: boolean;
  /** Shows the absolute time instead. */
  absolute?: boolean;
  className?: string;
};

/** Relative for the eye, absolute on hover and focus, exact for machines. Renews itself. */
export function Time({ at, focusable = false, absolute = false, className }: TimeProps) {
  const now = useClock();
  const ms = new Date(at).getTime();
  const exact = absoluteTime(ms);
  return (
    <time
      className={cx(styles.time, className)}
      dateTime={Number.isNaN(ms) ? undefined : new Date(ms).toISOString()}
      title={absolute ? relativeTime(ms, now) : exact}
      data-exact={exact}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the only way to the exact time without a pointer
      tabIndex={focusable ? 0 : undefined}
    >
      {absolute ? exact : relativeTime(ms, now)}
    </time>
  );
}

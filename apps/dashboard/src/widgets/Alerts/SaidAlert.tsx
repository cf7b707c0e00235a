import type { Alert } from "@gatehouse/contract/routes";
import { hourAndMinute, absoluteTime } from "../../ui/relative-time.ts";
import { useClock } from "../../ui/use-clock.ts";
import styles from "./Alerts.module.css";
import { sayAlert } from "./say-alert.ts";

/** The value, which the eye meets first, and the condition that it crossed. */
export function SaidAlert({ alert }: { readonly alert: Alert }) {
  const { what, rule } = sayAlert(alert);
  return (
    <>
      <b>{what}</b> <span className={styles.rule}>{rule}</span>
    </>
  );
}

/** A clock time, the day with it where that is not today; exact on hover. */
export function ClockTime({ at }: { readonly at: string }) {
  const ms = Date.parse(at);
  return (
    <time className={styles.line} dateTime={at} title={absoluteTime(ms)}>
      {hourAndMinute(ms, useClock())}
    </time>
  );
}

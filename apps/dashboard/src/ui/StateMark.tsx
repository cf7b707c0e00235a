import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { VisuallyHidden } from "./VisuallyHidden.tsx";
import styles from "./StateMark.module.css";

/** Every state a thing can be in. Eleven shapes, told apart without colour and at nine pixels. */
export type State = "ok" | "quiet" | "idle" | "run" | "wait" | "warn" | "back" | "off" | "bad" | "refused" | "unheard";

const shapes: Record<State, ReactNode> = {
  /* filled disc: healthy, applied, passed */
  ok: <circle cx="6" cy="6" r="4.25" />,
  /* hollow square: watched only */
  quiet: <rect className={styles.stroke} x="2.2" y="2.2" width="7.6" height="7.6" />,
  /* small ring: not started */
  idle: <circle className={styles.stroke} cx="6" cy="6" r="2.75" />,
  /* half-filled disc: work in progress */
  run: (
    <>
      <circle className={styles.stroke} cx="6" cy="6" r="4.1" />
      <path d="M6 1.9a4.1 4.1 0 0 0 0 8.2z" />
    </>
  ),
  /* filled diamond: a person must decide */
  wait: <path d="M6 .5 11.5 6 6 11.5.5 6z" />,
  /* filled triangle: degraded, expiring */
  warn: <path d="M6 1l5.5 9.8H.5z" />,
  /* counter-turn arrow: rolled back */
  back: (
    <>
      <path className={styles.heavy} d="M2.7 4.1h4.5a3 3 0 0 1 0 6H3.5" />
      <path d="M0 4.1 4.2.8v6.6z" />
    </>
  ),
  /* slashed ring: out of reach, outcome unknown */
  off: <path className={styles.heavy} d="M10.6 6A4.6 4.6 0 1 1 1.4 6a4.6 4.6 0 0 1 9.2 0zM2.5 9.5l7-7" />,
  /* square with a cross: failed */
  bad: (
    <>
      <rect x=".75" y=".75" width="10.5" height="10.5" />
      <path className={styles.cut} d="M3.6 3.6l4.8 4.8M8.4 3.6 3.6 8.4" />
    </>
  ),
  /* disc with a bar: turned away by a check */
  refused: (
    <>
      <circle cx="6" cy="6" r="5.1" />
      <path className={styles.cut} d="M2.9 6h6.2" />
    </>
  ),
  /* dashed ring: nobody knows yet */
  unheard: <circle className={styles.dashed} cx="6" cy="6" r="4.3" />,
};

/** The bare shape, for use next to words that already name the state. */
export function Mark({ state, size = 12 }: { state: State; size?: 9 | 12 | 15 }) {
  return (
    <svg className={cx(styles.mark, styles[state])} width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      {shapes[state]}
    </svg>
  );
}

export type StateMarkProps = {
  state: State;
  /** The word. It is always there; hideWord only takes it from the eye. */
  word: string;
  hideWord?: boolean;
  /** Colours the word too. Off for states that need nobody. */
  loud?: boolean;
  size?: 9 | 12 | 15;
};

/** A state: its shape, its word, its colour, in this order. */
export function StateMark({ state, word, hideWord = false, loud, size = 12 }: StateMarkProps) {
  const said = loud ?? !["ok", "quiet", "idle", "run", "unheard"].includes(state);
  return (
    <span className={cx(styles.state, said && styles[state])}>
      <Mark state={state} size={size} />
      {hideWord ? <VisuallyHidden>{word}</VisuallyHidden> : <span className={styles.word}>{word}</span>}
    </span>
  );
}

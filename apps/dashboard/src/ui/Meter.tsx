import { cx } from "./cx.ts";
import styles from "./Meter.module.css";

export type MeterProps = {
  /** How far it reaches. */
  value: 0 | 1 | 2 | 3;
  /** The word beside the marks: "Host". */
  word: string;
  loud?: boolean;
};

/** Three steps of reach: the marks for the eye, the word for everybody. */
export function Meter({ value, word, loud = false }: MeterProps) {
  return (
    <span className={cx(styles.meter, loud && styles.loud)}>
      <svg width="34" height="6" viewBox="0 0 34 6" aria-hidden="true">
        {[1, 2, 3].map((step) => (
          <rect
            key={step}
            className={step <= value ? styles.on : styles.off}
            x={(step - 1) * 12 + 0.5}
            y="0.5"
            width="9"
            height="5"
          />
        ))}
      </svg>
      {word}
    </span>
  );
}

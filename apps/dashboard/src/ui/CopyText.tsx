import { CopyButton } from "./CopyButton.tsx";
import { cx } from "./cx.ts";
import { splitMiddle } from "./middle.ts";
import styles from "./CopyText.module.css";

export type CopyTextProps = {
  text: string;
  /** What it is, for the button's name: "request id". */
  label: string;
  /** How many of its last characters always stay. */
  tail?: number;
  /** Wraps instead of losing its middle: for what somebody decides on, and for commands. */
  whole?: boolean;
  copy?: boolean;
};

/** An id in mono with a copy button. Too long, it loses its middle, never its end. */
export function CopyText({ text, label, tail = 6, whole = false, copy = true }: CopyTextProps) {
  const parts = splitMiddle(text, tail);
  return (
    <span className={styles.copyText}>
      {whole ? (
        <code className={cx(styles.id, styles.whole)}>{text}</code>
      ) : (
        <code className={styles.id} title={text}>
          {parts.head && <span className={styles.head}>{parts.head}</span>}
          <span className={styles.tail}>{parts.tail}</span>
        </code>
      )}
      {copy && <CopyButton text={text} label={label} />}
    </span>
  );
}

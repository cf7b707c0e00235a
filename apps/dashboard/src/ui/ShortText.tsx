import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { truncateMiddle } from "./middle.ts";
import styles from "./ShortText.module.css";

export type ShortTextProps =
  | {
      /** Cut in its middle when it is longer than `most` characters. */
      text: string;
      most: number;
    }
  | {
      /** What stands in the line instead of the whole. */
      short: ReactNode;
      whole: ReactNode;
    };

/**
 * One line in a table, whatever the length. The whole shows on hover and when its row has the focus; a screen reader
 * always has it. In a list words are not cut: it has room below them.
 */
export function ShortText(props: ShortTextProps) {
  const isText = "text" in props;
  const short = isText ? truncateMiddle(props.text, props.most) : props.short;
  if (isText && short === props.text) return <span className={styles.line}>{short}</span>;
  return (
    <span className={cx(styles.box, isText && styles.words)}>
      <span className={isText ? styles.line : undefined} aria-hidden="true">
        {short}
      </span>
      <span className={styles.whole}>{isText ? props.text : props.whole}</span>
    </span>
  );
}

import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import styles from "./Pager.module.css";

export type PagerProps = {
  /** How much is shown: "100 of 48,213". */
  shown: ReactNode;
  /** More can be had. */
  more: boolean;
  onMore: () => void;
  busy?: boolean;
  moreLabel?: string;
};

/** Takes the next part of a long list and says how much there is. */
export function Pager({ shown, more, onMore, busy = false, moreLabel = "Show more" }: PagerProps) {
  return (
    <div className={styles.pager}>
      <output>{shown}</output>
      {more && (
        <Button size="small" busy={busy} onClick={onMore}>
          {moreLabel}
        </Button>
      )}
    </div>
  );
}

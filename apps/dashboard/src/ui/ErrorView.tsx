import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./Button.tsx";
import { CopyText } from "./CopyText.tsx";
import { cx } from "./cx.ts";
import { Mark } from "./StateMark.tsx";
import styles from "./ErrorView.module.css";

export type ErrorViewProps = {
  /** What failed: "Plugins could not be read". */
  title: ReactNode;
  /** Why, in the server's own words. */
  detail?: ReactNode;
  /** What to do now. */
  todo?: ReactNode;
  code?: string | undefined;
  requestId?: string | undefined;
  onRetry?: (() => void) | undefined;
  retrying?: boolean;
  /** block: in place of a list; inline: inside a form or a dialog */
  size?: "block" | "inline";
};

/** What failed, what to do, the request id to quote, and a way to try again. */
export function ErrorView({
  title,
  detail,
  todo,
  code,
  requestId,
  onRetry,
  retrying = false,
  size = "block",
}: ErrorViewProps) {
  return (
    <div className={cx(styles.error, styles[size])} role="alert">
      <span className={styles.mark}>
        <Mark state="bad" />
      </span>
      <div className={styles.body}>
        <p className={styles.title}>{title}</p>
        {detail && <p>{detail}</p>}
        {todo && <p className={styles.todo}>{todo}</p>}
        {(code || requestId) && (
          <dl className={styles.facts}>
            {code && (
              <div>
                <dt>Code</dt>
                <dd>
                  <code>{code}</code>
                </dd>
              </div>
            )}
            {requestId && (
              <div>
                <dt>Request</dt>
                <dd>
                  <CopyText text={requestId} label="request id" />
                </dd>
              </div>
            )}
          </dl>
        )}
        {onRetry && (
          <Button size="small" icon={<RotateCw aria-hidden="true" />} busy={retrying} onClick={onRetry}>
            Try again
          </Button>
        )}
      </div>
    </div>
  );
}

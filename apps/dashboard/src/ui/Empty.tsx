import type { ReactNode } from "react";
import { CopyButton } from "./CopyButton.tsx";
import styles from "./Empty.module.css";

export type EmptyProps = {
  /** What is not here: "No tokens yet". */
  title: ReactNode;
  /** What this place is for. */
  children?: ReactNode;
  /** The exact command to begin with. */
  command?: string;
  /** Said above the command. */
  commandLabel?: ReactNode;
  action?: ReactNode;
};

/** An empty place says what it is for and how to begin. */
export function Empty({ title, children, command, commandLabel = "To begin", action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children && <div className={styles.words}>{children}</div>}
      {command && (
        <div className={styles.begin}>
          <p className={styles.label}>{commandLabel}</p>
          <div className={styles.command}>
            <code>{command}</code>
            <CopyButton text={command} label="command" />
          </div>
        </div>
      )}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  );
}

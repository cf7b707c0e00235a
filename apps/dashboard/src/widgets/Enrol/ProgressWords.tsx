import type { ReactNode } from "react";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { type EnrolProgress, leftWords } from "./enrol-progress.ts";
import styles from "./Enrol.module.css";

export interface ProgressWordsProps {
  readonly progress: EnrolProgress;
  readonly left: number;
  readonly whole: number;
  readonly expiresAt: string;
}

const soonMs = 2 * 60_000;

/** What has become of the code, read out when it changes. */
export function ProgressWords({ progress, left, whole, expiresAt }: ProgressWordsProps) {
  const { state, title, line } = wordsOf(progress, expiresAt);
  return (
    <div className={styles.progress}>
      <div role="status">
        <p className={styles.big}>
          <Mark state={state} size={15} /> {title}
        </p>
        <p>{line}</p>
      </div>
      {progress.kind === "waiting" && (
        <div className={styles.left} data-soon={left < soonMs || undefined}>
          <progress max={whole} value={left} aria-label="How long the code still lasts" />
          <b>{leftWords(left)} left</b>
        </div>
      )}
    </div>
  );
}

function wordsOf(progress: EnrolProgress, expiresAt: string): { state: State; title: string; line: ReactNode } {
  switch (progress.kind) {
    case "waiting":
      return {
        state: "unheard",
        title: "Waiting for a host to use the code",
        line: `Good until ${hourAndMinute(Date.parse(expiresAt), Date.now())}, for one host. You may close this: the line is not shown again, and the host then appears under Nodes.`,
      };
    case "arriving":
      return {
        state: "run",
        title: "A host has used the code",
        line: (
          <>
            Its id ends in <code>{idEnd(progress.nodeId)}</code>: compare it with what your host prints. The code is
            spent, so nobody else can use it. Waiting for its first beat.
          </>
        ),
      };
    case "here":
      return { state: "ok", title: "Online", line: "Compare the end of its id with what the host has printed." };
    case "expired":
      return {
        state: "off",
        title: "The code has expired",
        line: "No host used it. A line of it enrols nothing any more.",
      };
    case "cancelled":
      return { state: "idle", title: "The code is cancelled", line: "A line of it enrols nothing any more." };
    case "turned-away":
      return {
        state: "refused",
        title: "Turned away",
        line: `${progress.node.name} is revoked: its key is refused from now on.`,
      };
  }
}

/** What a host prints of its id, for people to compare. */
export function idEnd(nodeId: string): string {
  return nodeId.slice(-8);
}

import { useQuery } from "@tanstack/react-query";
import { X } from "lucide-react";
import { type HostLogLine, logLineQuery } from "../../api/host-logs.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { IconButton } from "../../ui/IconButton.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import type { LogsAddress } from "../../widgets/HostLogs/logs-address.ts";
import { LineFacts } from "./LineFacts.tsx";
import styles from "./LogsPage.module.css";
import { preciseClock, shellCommand } from "./say-logs.ts";

export interface LinePaneProps {
  readonly line: string | undefined;
  /** Whether there is room beside the list; a chosen line is a sheet otherwise. */
  readonly hasPane: boolean;
  readonly isFollowed: boolean;
  readonly nameOf: (id: string) => string;
  readonly shell: { readonly address: LogsAddress; readonly query: string; readonly nameOf: (id: string) => string };
  readonly onClose: () => void;
}

/** The chosen line, or how the same lines are seen at a shell. */
export function LinePane({ line, hasPane, isFollowed, nameOf, shell, onClose }: LinePaneProps) {
  const read = useQuery({ ...logLineQuery(line ?? "0"), enabled: line !== undefined });
  const title = read.data ? `${preciseClock(read.data.at)} UTC` : "A line";
  const body = line !== undefined && <ReadLine read={read} nameOf={nameOf} />;
  const command = shellCommand(shell.address, { ...shell, isFollowed });
  const same = (
    <section aria-label="The same from a shell">
      <p className={styles.fine}>The same from a shell</p>
      <div className={styles.shell}>
        <code>{command}</code>
        <CopyButton text={command} label="command" />
      </div>
    </section>
  );
  if (!hasPane) {
    return (
      <>
        <Sheet open={line !== undefined} onClose={onClose} title={title}>
          {body}
        </Sheet>
        <div className={styles.below}>{same}</div>
      </>
    );
  }
  return (
    <aside className={styles.pane} aria-label="Chosen line">
      {line === undefined ? (
        <>
          <p className={styles.hint}>
            {isFollowed
              ? "Choose a line to stop at it: its level, its host, and what the audit log has of that minute."
              : "Choose a line for its level, its host, and what the audit log has of that minute."}
          </p>
          {same}
        </>
      ) : (
        <>
          <div className={styles.paneHead}>
            <h2>{title}</h2>
            <IconButton label="Close" icon={<X aria-hidden="true" />} size="small" onClick={onClose} />
          </div>
          {body}
        </>
      )}
    </aside>
  );
}

interface ReadLineProps {
  readonly read: {
    readonly data: HostLogLine | null | undefined;
    readonly error: Error | null;
    readonly isFetching: boolean;
    readonly refetch: () => unknown;
  };
  readonly nameOf: (id: string) => string;
}

function ReadLine({ read, nameOf }: ReadLineProps) {
  if (read.data === null) return <p className={styles.hint}>This line is not kept any more, or may not be seen.</p>;
  if (read.data !== undefined) return <LineFacts line={read.data} nameOf={nameOf} />;
  if (read.error === null) return <Skeleton count={6} label="Reading the line" />;
  return (
    <ApiErrorView
      error={read.error}
      title="The line could not be read"
      size="inline"
      onRetry={() => read.refetch()}
      retrying={read.isFetching}
    />
  );
}

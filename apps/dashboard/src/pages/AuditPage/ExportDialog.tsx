import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type AuditFilter, countFilters, searchOf } from "./audit-filter.ts";
import styles from "./AuditPage.module.css";
import { exportLimit, jsonLines, readAllEntries } from "./read-all-entries.ts";

const limitWords = exportLimit.toLocaleString("en-GB");

export interface ExportDialogProps {
  readonly filter: AuditFilter;
  readonly open: boolean;
  readonly onClose: () => void;
}

/** What the filter shows, as a file: read page by page, put together here, so the server needs no export of its own. */
export function ExportDialog({ filter, open, onClose }: ExportDialogProps) {
  const client = useQueryClient();
  const [read, setRead] = useState(0);
  const stop = useRef<AbortController>(undefined);
  const run = useMutation({
    mutationFn: async () => {
      stop.current = new AbortController();
      setRead(0);
      const found = await readAllEntries(client, searchOf(filter, 200), {
        signal: stop.current.signal,
        onProgress: setRead,
      });
      save(jsonLines(found.entries), fileName(new Date()));
      return found;
    },
  });
  const close = (): void => {
    stop.current?.abort();
    run.reset();
    onClose();
  };
  const conditions = countFilters(filter);
  const wasStopped = run.isError && stop.current?.signal.aborted === true;
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Export the audit log"
      footer={
        <>
          <Button onClick={close}>{run.isSuccess ? "Close" : "Cancel"}</Button>
          {!run.isSuccess && (
            <Button look="primary" busy={run.isPending} onClick={() => run.mutate()}>
              {conditions === 0 ? "Export all entries" : "Export what the filter shows"}
            </Button>
          )}
        </>
      }
    >
      <div className={styles.export}>
        <p>
          {conditions === 0
            ? "Every entry, the newest first, one JSON object a line."
            : `Only entries that match the ${conditions === 1 ? "condition" : `${conditions} conditions`} of the filter, the newest first, one JSON object a line.`}{" "}
          At most {limitWords} entries; for older ones set “Before” and export again.
        </p>
        {run.isPending && (
          <p role="status">
            <progress className={styles.progress} max={exportLimit} value={read} aria-label="Entries read" />
            {read.toLocaleString("en-GB")} entries read
          </p>
        )}
        {run.isSuccess && (
          <p role="status">
            <b>{run.data.entries.length.toLocaleString("en-GB")} entries</b> are in <code>{fileName(new Date())}</code>.{" "}
            {run.data.isWhole
              ? "That is all of them."
              : `There are more: the file ends at #${run.data.entries.at(-1)?.position.toLocaleString("en-GB")}.`}
          </p>
        )}
        {run.isError && !wasStopped && <ApiErrorView error={run.error} title="The export stopped" size="inline" />}
      </div>
    </Dialog>
  );
}

function fileName(now: Date): string {
  return `gatehouse-audit-${now.toISOString().slice(0, 10)}.jsonl`;
}

function save(text: string, name: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: "application/x-ndjson" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the bytes by then; keeping them would hold megabytes until the page is left.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

import type { AuditEntryView } from "@gatehouse/contract/routes";
import { lazy, Suspense } from "react";
import { untilLoaded } from "../../api/until-loaded.ts";
import { Button } from "../../ui/Button.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import type { AuditReader } from "../../widgets/AuditActor/use-audit-reader.ts";
import { actionWords } from "../../widgets/audit-words.ts";
import { useAuditEntry } from "./use-audit-log.ts";

// The list is read first; whoever opens an entry waits for what it is shown with.
const EntryFacts = lazy(async () => ({
  default: (await untilLoaded(() => import("./EntryFacts.tsx"))).EntryFacts,
}));

export interface AuditSheetProps {
  readonly opened: number | undefined;
  readonly entries: readonly AuditEntryView[];
  readonly reader: AuditReader;
  readonly onOpen: (position: number) => void;
  readonly onClose: () => void;
}

/** The whole entry, beside the list. */
export function AuditSheet({ opened, entries, reader, onOpen, onClose }: AuditSheetProps) {
  const { entry, far } = useAuditEntry(opened, entries);
  const at = entries.findIndex(({ position }) => position === opened);
  const newer = at > 0 ? entries[at - 1] : undefined;
  const older = at < 0 ? undefined : entries[at + 1];
  return (
    <Sheet
      open={opened !== undefined}
      onClose={onClose}
      title={entry === undefined ? `Entry #${opened?.toLocaleString("en-GB")}` : actionWords(entry.action)}
      footer={
        at >= 0 && (
          <>
            <Button disabled={newer === undefined} onClick={() => newer && onOpen(newer.position)}>
              Newer
            </Button>
            <Button disabled={older === undefined} onClick={() => older && onOpen(older.position)}>
              Older
            </Button>
          </>
        )
      }
    >
      {entry !== undefined ? (
        <Suspense fallback={<Skeleton count={8} label="Reading the entry" />}>
          <EntryFacts entry={entry} reader={reader} />
        </Suspense>
      ) : far.isError ? (
        <ApiErrorView error={far.error} title="The entry could not be read" onRetry={() => void far.refetch()} />
      ) : far.isPending ? (
        <Skeleton count={8} label="Reading the entry" />
      ) : (
        <p>There is no entry at this position. It may have been pruned, or not be written yet.</p>
      )}
    </Sheet>
  );
}

import { Download } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { untilLoaded } from "../../api/until-loaded.ts";
import { Button } from "../../ui/Button.tsx";
import type { AuditFilter } from "./audit-filter.ts";

// Few who read the log take it with them.
const ExportDialog = lazy(async () => ({
  default: (await untilLoaded(() => import("./ExportDialog.tsx"))).ExportDialog,
}));

/** The button, and from its first use on the dialog. */
export function AuditExport({ filter }: { readonly filter: AuditFilter }) {
  const [open, setOpen] = useState<boolean>();
  return (
    <>
      <Button icon={<Download aria-hidden="true" />} onClick={() => setOpen(true)}>
        Export…
      </Button>
      {open !== undefined && (
        <Suspense fallback={null}>
          <ExportDialog filter={filter} open={open} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

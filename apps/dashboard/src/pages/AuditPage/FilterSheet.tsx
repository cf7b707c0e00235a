import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { countFilters } from "./audit-filter.ts";
import { AuditFilters, type AuditFiltersProps } from "./AuditFilters.tsx";

/** The same conditions on a phone: behind one button that says how many are set, so that the entries come first. */
export function FilterSheet({ filter, onChange, names }: AuditFiltersProps) {
  const [isOpen, setOpen] = useState(false);
  const count = countFilters(filter);
  return (
    <>
      <Button icon={<SlidersHorizontal aria-hidden="true" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Search and filter{count > 0 && ` (${count})`}
      </Button>
      <Sheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Search and filter"
        footer={
          <>
            <Button disabled={count === 0} onClick={() => onChange({})}>
              Clear{count > 0 && ` ${count}`}
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              Show the entries
            </Button>
          </>
        }
      >
        <AuditFilters {...{ filter, onChange, names }} />
      </Sheet>
    </>
  );
}

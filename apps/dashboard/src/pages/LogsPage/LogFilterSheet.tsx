import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { LogFilters, type LogFiltersProps } from "./LogFilters.tsx";
import { LogSearch } from "./LogSearch.tsx";

/** The same conditions where there is little room: behind one button that says how many are set, so that the lines come first. */
export function LogFilterSheet(props: LogFiltersProps) {
  const { address, onShow } = props;
  const [isOpen, setOpen] = useState(false);
  const { text, nodes, sources, level } = address;
  const count = [text !== "", nodes.length > 0, sources.length > 0, level !== undefined].filter(Boolean).length;
  return (
    <div>
      <Button icon={<SlidersHorizontal aria-hidden="true" />} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Search and filter{count > 0 && ` (${count})`}
      </Button>
      <Sheet
        open={isOpen}
        onClose={() => setOpen(false)}
        title="Search and filter"
        footer={
          <>
            <Button
              disabled={count === 0}
              onClick={() => onShow({ text: "", nodes: [], sources: [], level: undefined })}
            >
              Clear{count > 0 && ` ${count}`}
            </Button>
            <Button look="primary" onClick={() => setOpen(false)}>
              Show the lines
            </Button>
          </>
        }
      >
        <LogSearch text={text} onText={(next) => onShow({ text: next })} />
        <LogFilters {...props} />
      </Sheet>
    </div>
  );
}

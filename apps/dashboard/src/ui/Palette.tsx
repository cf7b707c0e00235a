import { CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk";
import { Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Dialog } from "./Dialog.tsx";
import { findItems } from "./find-items.ts";
import { focusFirst } from "./focus-first.ts";
import { Kbd } from "./Kbd.tsx";
import styles from "./Palette.module.css";

export type PaletteItem = {
  key: string;
  /** The heading it stands under while nothing is typed; groups stand in the order of their first items. */
  group: string;
  label: string;
  /** Found by these words too, and shown after the label. */
  hint?: string;
  keys?: readonly string[];
  icon?: ReactNode;
  /** One of thousands: found by its words, and not listed before. */
  onlyTyped?: boolean;
  onSelect: () => void;
};

export type PaletteProps = {
  open: boolean;
  onClose: () => void;
  items: readonly PaletteItem[];
  /** What can be found: "Find a page, a plugin or an action". Stands in the empty field and names it. */
  label: string;
  /** Said when nothing fits. */
  none: ReactNode;
  /** Still reading what can be found. */
  busy?: boolean;
};

/** Jump anywhere, run anything. Closes before it acts, so that what it opens keeps the focus. */
export function Palette({ open, ...rest }: PaletteProps) {
  return (
    <Dialog open={open} onClose={rest.onClose} title={rest.label} bareTitle place="top">
      <Finder {...rest} />
    </Dialog>
  );
}

/** More than that nobody reads; another letter finds it sooner. */
const mostFound = 60;

function Finder({ onClose, items, label, none, busy = false }: Omit<PaletteProps, "open">) {
  const [typed, setTyped] = useState("");
  const [picked, setPicked] = useState<string>();
  const listed = typed.trim() === "" ? items.filter(({ onlyTyped }) => onlyTyped !== true) : items;
  const found = findItems(listed, typed).slice(0, mostFound);
  const shown = groupsOf(found, typed);
  const selected = found.some(({ key }) => key === picked) ? picked : shown[0]?.items[0]?.key;
  const type = (text: string): void => {
    setTyped(text);
    setPicked(undefined);
  };
  return (
    <CommandRoot
      className={styles.palette}
      label={label}
      loop
      shouldFilter={false}
      value={selected ?? ""}
      onValueChange={setPicked}
    >
      <div className={styles.ask}>
        <Search aria-hidden="true" />
        <CommandInput placeholder={label} ref={focusFirst} value={typed} onValueChange={type} />
        <Kbd keys={["Esc"]} />
      </div>
      <p className={styles.none} role="status" hidden={found.length > 0}>
        {found.length === 0 && (busy ? "Still reading…" : none)}
      </p>
      {/* A list without a choice in it is none; the field still needs to point at it. */}
      <CommandList className={styles.found} hidden={found.length === 0}>
        {shown.map((group) => (
          <CommandGroup key={group.name} heading={group.name} className={styles.group}>
            {group.items.map((item) => (
              <CommandItem
                key={item.key}
                value={item.key}
                className={styles.item}
                onSelect={() => {
                  onClose();
                  item.onSelect();
                }}
              >
                {item.icon}
                <span className={styles.label}>{item.label}</span>
                {item.hint !== undefined && <span className={styles.hint}>{item.hint}</span>}
                {item.keys !== undefined && (
                  <span className={styles.keys}>
                    <Kbd keys={item.keys} />
                  </span>
                )}
              </CommandItem>
            ))}
          </CommandGroup>
        ))}
      </CommandList>
    </CommandRoot>
  );
}

/** While nobody typed, the groups stand apart; after that the best stands first, wherever it belongs. */
function groupsOf(found: readonly PaletteItem[], typed: string): readonly { name: string; items: PaletteItem[] }[] {
  const nameOf = typed.trim() === "" ? ({ group }: PaletteItem) => group : () => "Found";
  return [...Map.groupBy(found, nameOf)].map(([name, items]) => ({ name, items }));
}

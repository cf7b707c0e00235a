import { CommandEmpty, CommandGroup, CommandInput, CommandItem, CommandList, CommandRoot } from "cmdk";
import { Search } from "lucide-react";
import { useState, type ReactNode } from "react";
import { Dialog } from "./Dialog.tsx";
import { Kbd } from "./Kbd.tsx";
import styles from "./Palette.module.css";

export type PaletteItem = {
  key: string;
  label: string;
  /** Further words it is found by. */
  words?: readonly string[];
  icon?: ReactNode;
  hint?: ReactNode;
  onSelect: () => void;
};

export type PaletteGroup = { key: string; label: string; items: readonly PaletteItem[] };

export type PaletteProps = {
  open: boolean;
  onClose: () => void;
  groups: readonly PaletteGroup[];
  placeholder?: string;
  /** Still reading what can be found. */
  busy?: boolean;
};

/** Jump anywhere, run anything. Closes before it acts, so that what it opens keeps the focus. */
export function Palette({
  open,
  onClose,
  groups,
  placeholder = "Jump to a page or run an action",
  busy,
}: PaletteProps) {
  return (
    <Dialog open={open} onClose={onClose} title="Command palette" bareTitle size="wide" place="top">
      <Finder groups={groups} placeholder={placeholder} busy={busy ?? false} onClose={onClose} />
    </Dialog>
  );
}

type FinderProps = Required<Pick<PaletteProps, "groups" | "placeholder" | "busy" | "onClose">>;

function Finder({ groups, placeholder, busy, onClose }: FinderProps) {
  const [typed, setTyped] = useState("");
  return (
    <CommandRoot className={styles.palette} label="Command palette" loop>
      <div className={styles.ask}>
        <Search aria-hidden="true" />
        <CommandInput value={typed} onValueChange={setTyped} placeholder={placeholder} />
        <Kbd keys={["Esc"]} />
      </div>
      <CommandList className={styles.found}>
        <CommandEmpty className={styles.none}>{busy ? "Still reading…" : `Nothing is called “${typed}”.`}</CommandEmpty>
        {groups.map((group) => (
          <CommandGroup key={group.key} heading={group.label} className={styles.group}>
            {group.items.map((item) => (
              <CommandItem
                key={item.key}
                value={`${item.label} ${item.key}`}
                keywords={[...(item.words ?? [])]}
                className={styles.item}
                onSelect={() => {
                  onClose();
                  item.onSelect();
                }}
              >
                {item.icon}
                <span className={styles.label}>{item.label}</span>
                {item.hint && <span className={styles.hint}>{item.hint}</span>}
              </CommandItem>
            ))}
          </CommandGroup>
        ))}
      </CommandList>
    </CommandRoot>
  );
}

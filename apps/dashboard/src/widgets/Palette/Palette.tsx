import { Command } from "cmdk";
import { useState } from "react";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { focusFirst } from "../focus-first.ts";
import { findCommands } from "./find-commands.ts";
import styles from "./Palette.module.css";
import { useCommands } from "./use-commands.ts";

const groups = ["Pages", "Plugins", "Actions"] as const;

/** One field that finds every page, plugin and action by a few letters. */
export function Palette({ onClose, openHelp }: { readonly onClose: () => void; readonly openHelp: () => void }) {
  const commands = useCommands(openHelp);
  const [typed, setTyped] = useState("");
  const [picked, setPicked] = useState<string>();
  const found = findCommands(commands, typed);
  // While nobody typed, the groups stand apart; after that the best stands first, wherever it belongs.
  const shown =
    typed.trim() === ""
      ? groups.map((group) => ({ group, items: found.filter((one) => one.group === group) }))
      : [{ group: "Found", items: found }];
  const selected = found.some(({ id }) => id === picked) ? picked : shown.flatMap(({ items }) => items)[0]?.id;
  const type = (text: string): void => {
    setTyped(text);
    setPicked(undefined);
  };
  return (
    <Dialog open title="Find a page or an action" bareTitle onClose={onClose}>
      <Command
        className={styles.palette}
        label="Find a page, a plugin or an action"
        loop
        shouldFilter={false}
        value={selected ?? ""}
        onValueChange={setPicked}
      >
        <Command.Input
          className={styles.input}
          placeholder="Find a page, a plugin or an action"
          ref={focusFirst}
          value={typed}
          onValueChange={type}
        />
        <Command.List className={styles.list}>
          {found.length === 0 && (
            <p className={styles.none}>Nothing is called that. Pages you may not use are not listed.</p>
          )}
          {shown
            .filter(({ items }) => items.length > 0)
            .map(({ group, items }) => (
              <Command.Group key={group} heading={group} className={styles.group}>
                {items.map(({ id, label, hint, keys, run }) => (
                  <Command.Item
                    key={id}
                    value={id}
                    className={styles.item}
                    onSelect={() => {
                      onClose();
                      run();
                    }}
                  >
                    <span>{label}</span>
                    {hint !== undefined && <span className={styles.hint}>{hint}</span>}
                    {keys !== undefined && (
                      <span className={styles.keys}>
                        <Kbd keys={keys} />
                      </span>
                    )}
                  </Command.Item>
                ))}
              </Command.Group>
            ))}
        </Command.List>
      </Command>
    </Dialog>
  );
}

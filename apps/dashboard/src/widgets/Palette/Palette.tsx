import { Command } from "cmdk";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import { focusFirst } from "../focus-first.ts";
import styles from "./Palette.module.css";
import { useCommands } from "./use-commands.ts";

const groups = ["Pages", "Plugins", "Actions"] as const;

/** One field that finds every page, plugin and action by a few letters. */
export function Palette({ onClose, openHelp }: { readonly onClose: () => void; readonly openHelp: () => void }) {
  const commands = useCommands(openHelp);
  return (
    <Dialog open title="Find a page or an action" bareTitle onClose={onClose}>
      <Command className={styles.palette} label="Find a page, a plugin or an action" loop>
        <Command.Input className={styles.input} placeholder="Find a page, a plugin or an action" ref={focusFirst} />
        <Command.List className={styles.list}>
          <Command.Empty className={styles.none}>
            Nothing of that name. Pages you may not use are not listed.
          </Command.Empty>
          {groups.map((group) => (
            <Command.Group key={group} heading={group} className={styles.group}>
              {commands
                .filter((command) => command.group === group)
                .map(({ id, label, hint, keys, run }) => (
                  <Command.Item
                    key={id}
                    value={id}
                    keywords={[label, ...(hint === undefined ? [] : [hint])]}
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

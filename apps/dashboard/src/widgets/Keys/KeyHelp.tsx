import { useWhoAmI } from "../../api/auth.ts";
import { menuPagesFor } from "../../page-table.ts";
import { Dialog } from "../../ui/Dialog.tsx";
import { Kbd } from "../../ui/Kbd.tsx";
import styles from "./KeyHelp.module.css";

export const paletteKeys: readonly string[] = navigator.userAgent.includes("Mac") ? ["⌘", "K"] : ["Ctrl", "K"];

/** All keys there are; `?` opens it. */
export function KeyHelp({ onClose }: { readonly onClose: () => void }) {
  const { scopes } = useWhoAmI();
  const jumps = menuPagesFor(scopes).flatMap(({ title, menu: { key } }) =>
    key === null ? [] : [{ keys: ["g", key], says: `Go to ${title}` }],
  );
  const rows = [
    { keys: paletteKeys, says: "Find a page, a node, an alert, a plan, a plugin or an action" },
    { keys: ["/"], says: "The same, when nothing is typed into" },
    { keys: ["?"], says: "This list" },
    { keys: ["Esc"], says: "Close what is open" },
    ...jumps,
  ];
  return (
    <Dialog open title="Keys" onClose={onClose}>
      <dl className={styles.keys}>
        {rows.map(({ keys, says }) => (
          <div key={keys.join(" ")}>
            <dt>
              <Kbd keys={keys} />
            </dt>
            <dd>{says}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

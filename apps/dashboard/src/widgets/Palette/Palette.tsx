import { Palette as PalettePart } from "../../ui/Palette.tsx";
import { useCommands } from "./use-commands.ts";

/** One field that finds every page, node, plan, plugin, open alert and action by a few letters. */
export function Palette({ onClose, openHelp }: { readonly onClose: () => void; readonly openHelp: () => void }) {
  return (
    <PalettePart
      open
      onClose={onClose}
      items={useCommands(openHelp)}
      label="Find a page, a node, an alert, a plan, a plugin or an action"
      none="Nothing is called that. Pages you may not use are not listed."
    />
  );
}

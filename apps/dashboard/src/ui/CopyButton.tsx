import { Check, Copy, X } from "lucide-react";
import { IconButton } from "./IconButton.tsx";
import { useCopy } from "./use-copy.ts";
import styles from "./CopyButton.module.css";

const icons = {
  idle: <Copy aria-hidden="true" />,
  copied: <Check aria-hidden="true" />,
  failed: <X aria-hidden="true" />,
};
const said = { idle: "", copied: "Copied", failed: "Could not copy; select the text instead" };

/** Copies text. The name says what, the live region says that it happened. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const [state, copy] = useCopy(text);
  return (
    <span className={styles.box}>
      <IconButton size="small" label={`Copy ${label}`} icon={icons[state]} onClick={copy} className={styles[state]} />
      <output className={state === "idle" ? undefined : styles.said}>{said[state]}</output>
    </span>
  );
}

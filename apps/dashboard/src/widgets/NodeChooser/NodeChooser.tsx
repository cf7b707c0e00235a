import type { Node } from "@gatehouse/contract/routes";
import { Server, X } from "lucide-react";
import { useId, useState } from "react";
import { ShortText } from "../../ui/ShortText.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import styles from "./NodeChooser.module.css";
import { NodeInput } from "./NodeInput.tsx";

export interface NodeChooserProps {
  readonly nodes: readonly Node[];
  readonly chosen: readonly string[];
  readonly most: number;
  readonly nameOf: (id: string) => string;
  readonly onChoose: (nodes: readonly string[]) => void;
}

/** Which nodes: each is taken back by its button, another is added by its name or by a tag. */
export function NodeChooser({ nodes, chosen, most, nameOf, onChoose }: NodeChooserProps) {
  const saidId = useId();
  const [said, setSaid] = useState("");
  return (
    <>
      <div className={styles.tokens}>
        <Server size={15} strokeWidth={1.6} aria-hidden="true" />
        <ul aria-label="Nodes that are drawn">
          {chosen.map((id) => (
            <li key={id}>
              <button type="button" onClick={() => onChoose(chosen.filter((one) => one !== id))}>
                <VisuallyHidden>Take away </VisuallyHidden>
                <code>
                  <ShortText text={nameOf(id)} most={28} />
                </code>
                <X size={12} aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
        <NodeInput {...{ nodes, chosen, most, saidId, onChoose }} onSaid={setSaid} />
      </div>
      <p id={saidId} className={styles.said} role="status">
        {said}
      </p>
    </>
  );
}

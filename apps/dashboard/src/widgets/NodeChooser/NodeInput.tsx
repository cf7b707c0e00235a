import type { Node } from "@gatehouse/contract/routes";
import { type KeyboardEvent, useId, useMemo, useState } from "react";
import { hostWords } from "../PlanHosts/plan-hosts.ts";
import { chooseNodes } from "./choose-nodes.ts";

export interface NodeInputProps {
  readonly nodes: readonly Node[];
  readonly chosen: readonly string[];
  readonly most: number;
  readonly className?: string | undefined;
  /** Of the element that shows what is said. */
  readonly saidId: string;
  readonly onSaid: (words: string) => void;
  readonly onChoose: (nodes: readonly string[]) => void;
}

/** More suggestions than that nobody reads; another letter finds it sooner. */
const mostOffered = 50;

/** Adds a node by its name, or the nodes of a tag. */
export function NodeInput({ nodes, chosen, most, className, saidId, onSaid, onChoose }: NodeInputProps) {
  const list = useId();
  const [text, setText] = useState("");
  const words = useMemo(() => hostWords(nodes), [nodes]);
  const offered = words.filter((word) => word.includes(text.trim())).slice(0, mostOffered);
  const take = (typed: string): void => {
    if (typed.trim() === "") return;
    const found = chooseNodes(nodes, chosen, typed, most);
    if ("wrong" in found) return onSaid(found.wrong);
    setText("");
    onSaid(found.leftOut === 0 ? "" : `At most ${most} nodes are shown: ${found.leftOut} were left out.`);
    onChoose(found.nodes);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Enter") take(text);
    // As in every field with tokens: nothing typed, so the last of them is meant.
    else if (event.key === "Backspace" && text === "" && !event.repeat) onChoose(chosen.slice(0, -1));
  };
  return (
    <>
      <input
        aria-label="Add a node or a tag"
        aria-describedby={saidId}
        placeholder="Add a node or a tag"
        className={className}
        list={list}
        value={text}
        maxLength={80}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onKeyDown={onKeyDown}
        onChange={({ target, nativeEvent }) => {
          const typed = nativeEvent instanceof InputEvent ? nativeEvent.inputType : undefined;
          setText(target.value);
          onSaid("");
          // Picked from the list, whole.
          if (typed === undefined || typed === "insertReplacementText") take(target.value);
        }}
      />
      <datalist id={list}>
        {offered.map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
    </>
  );
}

import type { Node } from "@gatehouse/contract/routes";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { Checkbox } from "../../ui/Choices.tsx";
import { Field } from "../../ui/Field.tsx";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import styles from "./HostPicker.module.css";
import {
  addHosts,
  type ChosenHosts,
  dropAgent,
  dropNode,
  dropTag,
  type HostChoice,
  hostWords,
  sayAgent,
} from "./plan-hosts.ts";

export interface HostPickerProps {
  readonly nodes: readonly Node[];
  readonly choice: HostChoice;
  readonly chosen: ChosenHosts;
  readonly skipsAway: boolean;
  readonly error: string | undefined;
  readonly onChoice: (choice: HostChoice) => void;
  readonly onSkipsAway: (skips: boolean) => void;
}

/** For which hosts: tags and names, which hosts these are now, and who of them is not asked and why. */
export function HostPicker({ nodes, choice, chosen, error, onChoice, ...skipping }: HostPickerProps) {
  const list = useId();
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState<string>();
  const take = (typed: string): void => {
    const found = addHosts(nodes, choice, typed);
    if ("wrong" in found) return setWrong(found.wrong);
    onChoice(found.choice);
    setText("");
    setWrong(undefined);
  };
  const takeOnEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter") return;
    // The form is not sent by it.
    event.preventDefault();
    take(text);
  };
  return (
    <div className={styles.picker}>
      <Field
        label="Hosts"
        aside={countWords(chosen, skipping.skipsAway)}
        error={wrong ?? error}
        hint="A tag or a name; as many as you like."
      >
        <div className={styles.adding}>
          <HostInput
            list={list}
            text={text}
            onText={(typed, isPicked) => {
              setText(typed);
              setWrong(undefined);
              if (isPicked) take(typed);
            }}
            onKeyDown={takeOnEnter}
          />
          <Button onClick={() => take(text)}>Add</Button>
        </div>
      </Field>
      <datalist id={list}>
        {hostWords(nodes).map((word) => (
          <option key={word} value={word} />
        ))}
      </datalist>
      <Chips nodes={nodes} choice={choice} onChoice={onChoice} />
      <Reasons chosen={chosen} choice={choice} onChoice={onChoice} {...skipping} />
    </div>
  );
}

interface HostInputProps {
  readonly list: string;
  readonly text: string;
  /** Picked: from the list, whole. */
  readonly onText: (text: string, isPicked: boolean) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

function HostInput({ list, text, onText, onKeyDown }: HostInputProps) {
  return (
    <TextInput
      list={list}
      value={text}
      placeholder="tag edge"
      maxLength={80}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      onKeyDown={onKeyDown}
      onChange={({ target, nativeEvent }) => {
        const typed = nativeEvent instanceof InputEvent ? nativeEvent.inputType : undefined;
        onText(target.value, typed === undefined || typed === "insertReplacementText");
      }}
    />
  );
}

function Chips({ nodes, choice, onChoice }: Pick<HostPickerProps, "nodes" | "choice" | "onChoice">) {
  const nameOf = (id: string) => nodes.find((node) => node.id === id)?.name ?? id;
  const chips = [
    ...choice.tags.map((tag) => ({ kind: "tag", label: tag, drop: () => onChoice(dropTag(choice, tag)) })),
    ...choice.nodes.map((id) => ({ kind: "host", label: nameOf(id), drop: () => onChoice(dropNode(choice, id)) })),
    ...choice.agents.map((agent) => ({
      kind: "agent",
      label: sayAgent(agent),
      drop: () => onChoice(dropAgent(choice, agent)),
    })),
  ];
  if (chips.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Chosen">
      {chips.map(({ kind, label, drop }) => (
        <li key={`${kind} ${label}`}>
          <button type="button" onClick={drop} aria-label={`Take back ${kind} ${label}`}>
            <span className={styles.kind}>{kind}</span> <span className={styles.label}>{label}</span>
            <X size={12} aria-hidden="true" />
          </button>
        </li>
      ))}
    </ul>
  );
}

type ReasonsProps = Omit<HostPickerProps, "nodes" | "error">;

function Reasons({ chosen, choice, skipsAway, onChoice, onSkipsAway }: ReasonsProps) {
  const { here, away, monitor, closed, leftOut } = chosen;
  return (
    <div className={styles.reasons}>
      {here.length > 0 && (
        <Reason state="ok">
          <Named nodes={here} /> {here.length === 1 ? "is" : "are"} connected.
        </Reason>
      )}
      {closed.length > 0 && (
        <Reason state="warn">
          <b>
            <Named nodes={closed} /> will refuse.
          </b>{" "}
          Root there has named nobody who may approve: <code>gatehouse-agent ceiling set managed --approver …</code>
        </Reason>
      )}
      {away.length > 0 && (
        <Reason state="off">
          <b>
            <Named nodes={away} /> {away.length === 1 ? "is" : "are"} not connected
          </b>{" "}
          and cannot say what {away.length === 1 ? "it is" : "they are"} like now.
          <Checkbox
            label="Leave out hosts that are not connected"
            hint="The plan says who was left out; it is not for them, also when they come back."
            checked={skipsAway}
            onChange={onSkipsAway}
          />
        </Reason>
      )}
      {monitor.length > 0 && (
        <Reason state="idle">
          Left out: <Named nodes={monitor} />. {monitor.length === 1 ? "It is" : "They are"} monitor only and{" "}
          {monitor.length === 1 ? "accepts" : "accept"} no change.
        </Reason>
      )}
      {leftOut.length > 0 && (
        <Reason state="idle">
          Left out by you: <Named nodes={leftOut} />.{" "}
          <Button look="bare" size="small" onClick={() => onChoice({ ...choice, leftOut: [] })}>
            Take {leftOut.length === 1 ? "it" : "them"} back in
          </Button>
        </Reason>
      )}
    </div>
  );
}

function Reason({ state, children }: { readonly state: State; readonly children: ReactNode }) {
  return (
    <div className={styles.reason}>
      <Mark state={state} size={9} />
      <div>{children}</div>
    </div>
  );
}

/** Names beyond these are a press away. */
const mostNames = 6;

/** Names, as many as are read at a glance. */
export function Named({ nodes }: { readonly nodes: readonly { readonly name: string }[] }) {
  const names = nodes.map(({ name }) => name);
  if (names.length <= mostNames) return <code>{names.join(", ")}</code>;
  return (
    <>
      <code>{names.slice(0, mostNames - 1).join(", ")}</code> and{" "}
      <details className={styles.more}>
        <summary>{(names.length - mostNames + 1).toLocaleString("en-GB")} more</summary>
        <code>{names.slice(mostNames - 1).join(", ")}</code>
      </details>
    </>
  );
}

function countWords({ here, away, monitor, leftOut }: ChosenHosts, skipsAway: boolean): string | undefined {
  const asked = here.length + (skipsAway ? 0 : away.length);
  const all = here.length + away.length + monitor.length + leftOut.length;
  if (all === 0) return undefined;
  return asked === all
    ? all.toLocaleString("en-GB")
    : `${asked.toLocaleString("en-GB")} of ${all.toLocaleString("en-GB")}`;
}

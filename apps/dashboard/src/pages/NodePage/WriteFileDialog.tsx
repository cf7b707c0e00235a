import { useState } from "react";
import { Field } from "../../ui/Field.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { namedTargets } from "./host-change.ts";
import styles from "./NodePage.module.css";
import { PlanChangeDialog } from "./PlanChangeDialog.tsx";
import type { HostDialogProps } from "./RestartServiceDialog.tsx";

const asTyped = { autoComplete: "off", autoCapitalize: "none", spellCheck: false } as const;

/** A plan that writes one text file of the host, in place of what is there. */
export function WriteFileDialog({ node, onClose }: HostDialogProps) {
  const named = namedTargets(node.facts, "file.write");
  const [path, setPath] = useState("");
  const [text, setText] = useState("");
  const [mode, setMode] = useState("0644");
  const [owner, setOwner] = useState("root");
  const [group, setGroup] = useState("root");
  const wrongPath = path.trim().startsWith("/") ? undefined : "Name the whole path, from / on.";
  const wrongMode = /^0[0-7]{3}$/.test(mode) ? undefined : "Four digits, such as 0644.";
  const noOwner = owner.trim() === "" ? "Name a user of the host." : undefined;
  const noGroup = group.trim() === "" ? "Name a group of the host." : undefined;
  return (
    <PlanChangeDialog
      node={node}
      title={`Write a file on ${node.name}`}
      size="wide"
      change={{ kind: "file.write", path: path.trim(), text, mode, owner: owner.trim(), group: group.trim() }}
      isWrong={[wrongPath, wrongMode, noOwner, noGroup].some((wrong) => wrong !== undefined)}
      onClose={onClose}
    >
      {(isTried) => (
        <>
          <Field
            label="Path"
            hint={named.length === 0 ? "Such as /etc/motd." : `Its ceiling names ${named.join(", ")}.`}
            error={isTried && wrongPath}
          >
            <TextInput
              mono
              {...asTyped}
              value={path}
              maxLength={512}
              onChange={({ target }) => setPath(target.value)}
            />
          </Field>
          <Field label="Text" hint="The whole file, as it is to be: visible characters, tabs and line ends.">
            <TextArea
              mono
              rows={8}
              spellCheck={false}
              value={text}
              maxLength={65_536}
              onChange={({ target }) => setText(target.value)}
            />
          </Field>
          <div className={styles.three}>
            <Field label="Mode" error={isTried && wrongMode}>
              <TextInput
                mono
                {...asTyped}
                value={mode}
                maxLength={4}
                onChange={({ target }) => setMode(target.value)}
              />
            </Field>
            <Field label="Owner" error={isTried && noOwner}>
              <TextInput
                mono
                {...asTyped}
                value={owner}
                maxLength={32}
                onChange={({ target }) => setOwner(target.value)}
              />
            </Field>
            <Field label="Group" error={isTried && noGroup}>
              <TextInput
                mono
                {...asTyped}
                value={group}
                maxLength={32}
                onChange={({ target }) => setGroup(target.value)}
              />
            </Field>
          </div>
        </>
      )}
    </PlanChangeDialog>
  );
}

import type { Node } from "@gatehouse/contract/routes";
import { Plus } from "lucide-react";
import { Button } from "../../ui/Button.tsx";
import { changeKinds, type HostChange, namedTargets, trimChange } from "../../widgets/ChangeFields/host-change.ts";
import type { ChangeFieldsProps } from "../../widgets/ChangeFields/change-fields.ts";
import { ReplaceFields } from "../../widgets/ChangeFields/ReplaceFields.tsx";
import { RestartFields } from "../../widgets/ChangeFields/RestartFields.tsx";
import { UpdateFields } from "../../widgets/ChangeFields/UpdateFields.tsx";
import { WriteFields } from "../../widgets/ChangeFields/WriteFields.tsx";
import { addChange, type KeyedChange } from "./compose-wish.ts";
import styles from "./NewPlanPage.module.css";
import { NotFor } from "./NotFor.tsx";
import { NotLater } from "./NotLater.tsx";
import { NotNamed } from "./NotNamed.tsx";
import { sayChanges } from "./say-changes.ts";

export interface HandFormProps {
  readonly changes: readonly KeyedChange[];
  /** Those whose ceilings the changes are held against. */
  readonly hosts: readonly Node[];
  readonly isTried: boolean;
  readonly onChanges: (changes: readonly KeyedChange[]) => void;
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

const kinds: Readonly<Record<HostChange["kind"], string>> = {
  "file.write": "Write a file",
  "binary.replace": "Replace a program",
  "service.restart": "Restart a service",
  "agent.update": "Update the agent",
};

/** One operation after the other, in the order in which each host does them. */
export function HandForm({ changes, hosts, isTried, onChanges, onLeaveOut }: HandFormProps) {
  const said = sayChanges(changes.map(({ change }) => change));
  return (
    <div className={styles.operations}>
      {changes.map(({ key, change }, at) => {
        const set = (next: HostChange) =>
          onChanges(changes.map((one) => (one.key === key ? { key, change: next } : one)));
        const shared = {
          wrong: isTried ? (said[at]?.wrong ?? {}) : {},
          named: [...new Set(hosts.flatMap(({ facts }) => namedTargets(facts, change.kind)))],
        };
        return (
          <fieldset key={key} className={styles.operation}>
            <legend>
              {at + 1}. {kinds[change.kind]}
            </legend>
            <Fields {...shared} change={change} onChange={set} />
            {said[at]?.words.length !== 0 && (
              <>
                <NotNamed hosts={hosts} change={trimChange(change)} onLeaveOut={onLeaveOut} />
                {change.kind === "binary.replace" && (
                  <NotFor hosts={hosts} program={change.program} onLeaveOut={onLeaveOut} />
                )}
                {change.kind === "agent.update" && change.release !== null && (
                  <>
                    <NotFor hosts={hosts} program={{ name: "Agent", ...change.release }} onLeaveOut={onLeaveOut} />
                    <NotLater hosts={hosts} release={change.release} onLeaveOut={onLeaveOut} />
                  </>
                )}
              </>
            )}
            {changes.length > 1 && (
              <div>
                <Button
                  look="bare"
                  size="small"
                  aria-label={`Remove operation ${at + 1}`}
                  onClick={() => onChanges(changes.filter((one) => one.key !== key))}
                >
                  Remove
                </Button>
              </div>
            )}
          </fieldset>
        );
      })}
      <div className={styles.adds}>
        {changeKinds.map((kind) => (
          <Button
            key={kind}
            look="bare"
            size="small"
            icon={<Plus aria-hidden="true" />}
            onClick={() => onChanges(addChange(changes, kind))}
          >
            {kinds[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}

function Fields({ change, ...shared }: ChangeFieldsProps<HostChange>) {
  switch (change.kind) {
    case "file.write":
      return <WriteFields {...shared} change={change} />;
    case "binary.replace":
      return <ReplaceFields {...shared} change={change} />;
    case "service.restart":
      return <RestartFields {...shared} change={change} />;
    case "agent.update":
      return <UpdateFields {...shared} change={change} />;
  }
}

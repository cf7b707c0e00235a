import type { Node } from "@gatehouse/contract/routes";
import { Plus } from "lucide-react";
import { Button } from "../../ui/Button.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import {
  emptyChanges,
  type HostChange,
  namedTargets,
  raiseCommandFor,
  trimChange,
} from "../../widgets/ChangeFields/host-change.ts";
import { RestartFields } from "../../widgets/ChangeFields/RestartFields.tsx";
import { WriteFields } from "../../widgets/ChangeFields/WriteFields.tsx";
import { Named } from "../../widgets/PlanHosts/HostPicker.tsx";
import type { KeyedChange } from "./compose-wish.ts";
import styles from "./NewPlanPage.module.css";
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
  "service.restart": "Restart a service",
  "file.write": "Write a file",
};

/** One operation after the other, in the order in which each host does them. */
export function HandForm({ changes, hosts, isTried, onChanges, onLeaveOut }: HandFormProps) {
  const said = sayChanges(changes.map(({ change }) => change));
  const add = (kind: HostChange["kind"]) => (): void => {
    const key = Math.max(0, ...changes.map((one) => one.key)) + 1;
    onChanges([...changes, { key, change: emptyChanges[kind] }]);
  };
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
            {change.kind === "service.restart" ? (
              <RestartFields {...shared} change={change} onChange={set} />
            ) : (
              <WriteFields {...shared} change={change} onChange={set} />
            )}
            {said[at]?.words.length !== 0 && (
              <NotNamed hosts={hosts} change={trimChange(change)} onLeaveOut={onLeaveOut} />
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
        {(["service.restart", "file.write"] as const).map((kind) => (
          <Button key={kind} look="bare" size="small" icon={<Plus aria-hidden="true" />} onClick={add(kind)}>
            {kinds[kind]}
          </Button>
        ))}
      </div>
    </div>
  );
}

/** A host says nothing of what its root has not named, and then there is no plan: it is said where it was typed. */
function NotNamed({
  hosts,
  change,
  onLeaveOut,
}: {
  hosts: readonly Node[];
  change: HostChange;
  onLeaveOut: HandFormProps["onLeaveOut"];
}) {
  const without = hosts.filter(({ facts }) => raiseCommandFor(facts, change) !== undefined);
  const [first] = without;
  if (first === undefined) return null;
  return (
    <div className={styles.fault}>
      <Mark state="warn" size={9} />
      <div>
        <b>
          The ceiling of <Named nodes={without} /> does not name it.
        </b>{" "}
        {without.length === 1 ? "The host refuses" : "They refuse"} to say what{" "}
        {without.length === 1 ? "it is" : "they are"} like. Root {without.length === 1 ? "there" : `of ${first.name}`}{" "}
        can allow it: <CopyText text={raiseCommandFor(first.facts, change) ?? ""} label="command" whole />
        <Button look="bare" size="small" onClick={() => onLeaveOut(without.map(({ id }) => id))}>
          Leave {without.length === 1 ? "it" : "them"} out
        </Button>
      </div>
    </div>
  );
}

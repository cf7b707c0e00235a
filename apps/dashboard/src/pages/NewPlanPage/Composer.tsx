import type { Node } from "@gatehouse/contract/routes";
import { type FormEvent, useState } from "react";
import { Field } from "../../ui/Field.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Select } from "../../ui/Select.tsx";
import { TextArea } from "../../ui/TextArea.tsx";
import { TextInput } from "../../ui/TextInput.tsx";
import { Time } from "../../ui/Time.tsx";
import { emptyChanges, type ReleaseFacts } from "../../widgets/ChangeFields/host-change.ts";
import { HostPicker } from "../../widgets/PlanHosts/HostPicker.tsx";
import { type HostChoice, leaveOut, sortHosts, wantedNodes } from "../../widgets/PlanHosts/plan-hosts.ts";
import { ComposeBar } from "./ComposeBar.tsx";
import { type Composed, composedTitle, composeWish, type Source, takesManagement } from "./compose-wish.ts";
import { FirewallForm } from "./FirewallForm.tsx";
import { emptyFirewall } from "./firewall-form.ts";
import { HandForm } from "./HandForm.tsx";
import styles from "./NewPlanPage.module.css";
import type { Start } from "./plan-sources.ts";
import { Reading } from "./Reading.tsx";
import { useComposedPlan } from "./use-composed-plan.ts";
import { WireguardForm } from "./WireguardForm.tsx";
import { emptyWireguard } from "./wireguard-form.ts";

export interface ComposerProps {
  readonly nodes: readonly Node[];
  readonly sources: readonly Source[];
  readonly start: Start;
  /** What an update begins with. */
  readonly release: ReleaseFacts | null;
}

const empty: Composed = {
  title: "",
  why: "",
  changes: [{ key: 1, change: emptyChanges["service.restart"] }],
  firewall: emptyFirewall,
  wireguard: emptyWireguard,
  input: "",
  management: "",
};

/** Write on one side, read on the other. Reading the hosts makes a plan of it; nobody is asked about that before it is submitted. */
export function Composer({ nodes, sources, start, release }: ComposerProps) {
  const proposed = [{ key: 1, change: { kind: "agent.update", release } }] as const;
  const [choice, setChoice] = useState<HostChoice>(start.hosts);
  const [skipsAway, setSkipsAway] = useState(false);
  const [form, setForm] = useState(() => keyOf(sources.find((one) => isOf(one, start.plugin)) ?? sources[0]));
  const [typed, setTyped] = useState(() => (start.update === undefined ? empty : { ...empty, changes: proposed }));
  const [isTried, setTried] = useState(false);
  const source = sources.find((one) => keyOf(one) === form) ?? ({ form: "hand" } as const);
  const chosen = sortHosts(nodes, choice);
  const asked = [...chosen.here, ...(skipsAway ? [] : chosen.away)];
  const hosts = { chosen: wantedNodes(chosen), asked };
  const composed = composeWish(typed, source, { ...hosts, skipsAway });
  const plan = useComposedPlan(composed.wish);
  const wrong = isTried ? composed.wrong : {};
  const set = (more: Partial<Composed>): void => setTyped({ ...typed, ...more });
  const read = (event?: FormEvent): void => {
    event?.preventDefault();
    setTried(true);
    if (composed.isWhole && !plan.isReading) plan.read(composed.wish);
  };
  return (
    <form className={styles.compose} onSubmit={read} noValidate>
      <div className={styles.write}>
        <PageHead title="New plan" meta={<Meta plan={plan.plan} />} />
        <HostPicker
          nodes={nodes}
          choice={choice}
          chosen={chosen}
          skipsAway={skipsAway}
          error={wrong.hosts}
          onChoice={setChoice}
          onSkipsAway={setSkipsAway}
        />
        <hr />
        {sources.length > 1 && (
          <Field label="Drawn up" hint={source.form === "hand" ? undefined : "The plugin writes title and summary."}>
            <Select
              options={sources.map((one) => ({ value: keyOf(one), label: labelOf(one) }))}
              value={form}
              onChange={({ target }) => setForm(target.value)}
            />
          </Field>
        )}
        {source.form === "hand" && (
          <>
            <HandForm
              changes={typed.changes}
              hosts={asked}
              isTried={isTried}
              onChanges={(changes) => set({ changes })}
              onLeaveOut={(ids) => setChoice(leaveOut(choice, ids))}
            />
            <hr />
            <Field label="Title" optional hint="Without one it is called after what it does.">
              <TextInput
                value={typed.title}
                maxLength={120}
                autoComplete="off"
                placeholder={
                  composed.isWhole
                    ? composedTitle(
                        typed.changes.map(({ change }) => change),
                        asked.map(({ name }) => name),
                      )
                    : undefined
                }
                onChange={({ target }) => set({ title: target.value })}
              />
            </Field>
            <Field label="Why" hint="On one line, for whoever reviews it." error={wrong.why}>
              <TextInput
                value={typed.why}
                maxLength={500}
                autoComplete="off"
                onChange={({ target }) => set({ why: target.value })}
              />
            </Field>
          </>
        )}
        {source.form === "firewall" && (
          <FirewallForm fields={typed.firewall} isTried={isTried} onFields={(firewall) => set({ firewall })} />
        )}
        {source.form === "wireguard" && (
          <WireguardForm
            fields={typed.wireguard}
            hosts={hosts}
            isTried={isTried}
            onFields={(wireguard) => set({ wireguard })}
            onLeaveOut={(ids) => setChoice(leaveOut(choice, ids))}
          />
        )}
        {source.form === "json" && (
          <Field
            label="Input"
            error={wrong.input}
            hint="What the plan is drawn up from, as JSON. The same input and hosts give the same plan."
          >
            <TextArea
              mono
              rows={12}
              spellCheck={false}
              value={typed.input}
              onChange={({ target }) => set({ input: target.value })}
            />
          </Field>
        )}
        {source.form !== "hand" && takesManagement(source) && (
          <Field
            label="Managed from"
            optional
            error={wrong.management}
            hint="Networks from which people reach these hosts: the lint refuses what would cut them off."
          >
            <TextInput
              mono
              value={typed.management}
              autoComplete="off"
              spellCheck={false}
              placeholder="192.0.2.0/24"
              onChange={({ target }) => set({ management: target.value })}
            />
          </Field>
        )}
      </div>
      <div className={styles.read}>
        <div className={styles.reading}>
          <Reading
            typed={typed}
            source={source}
            composed={plan}
            hosts={hosts}
            onSkipAway={() => setSkipsAway(true)}
            onLeaveOut={(ids) => setChoice(leaveOut(choice, ids))}
          />
        </div>
        <ComposeBar composed={plan} count={asked.length} isMissing={isTried && !composed.isWhole} />
      </div>
    </form>
  );
}

function Meta({ plan }: { readonly plan: { readonly createdAt: string } | undefined }) {
  if (plan === undefined) return "Nothing is kept before the hosts are read. Making a plan changes no host.";
  return (
    <span>
      Hosts read <Time at={plan.createdAt} absolute />. Kept, and nobody is asked yet.
    </span>
  );
}

function keyOf(source: Source | undefined): string {
  return source === undefined || source.form === "hand" ? "hand" : `plugin ${source.plugin}`;
}

function isOf(source: Source, plugin: string | undefined): boolean {
  return source.form !== "hand" && source.plugin === plugin;
}

function labelOf(source: Source): string {
  return source.form === "hand" ? "By hand: files, programs and services" : `By ${source.plugin}: ${source.title}`;
}

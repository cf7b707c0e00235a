import { actionLimits, type Plugin } from "@gatehouse/contract";
import { useQuery } from "@tanstack/react-query";
import { pluginsQuery } from "../../api/plugins.ts";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Section } from "../../ui/Section.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./PluginPage.module.css";

type Runtime = Plugin["runtime"];

const states: Readonly<Record<Runtime["state"], { state: State; word: string }>> = {
  absent: { state: "idle", word: "Not armed" },
  armed: { state: "ok", word: "Armed" },
  failed: { state: "bad", word: "Failed" },
};

const breakers: Readonly<Record<NonNullable<Runtime["breaker"]>, { state: State; word: string; says: string }>> = {
  closed: { state: "ok", word: "Closed", says: "Calls go through." },
  open: {
    state: "bad",
    word: "Open",
    says: "It failed five times in a row and is left alone for 30 s; then one call is tried.",
  },
  "half-open": { state: "warn", word: "Half open", says: "The next call is a trial: it decides for all that follow." },
};

/** How it runs, how it is fenced in, and what went wrong last. What a plugin wrote is shown as text and never as more. */
export function RuntimeFacts({ plugin }: { readonly plugin: Plugin }) {
  const { runtime } = plugin;
  const host = useQuery(pluginsQuery).data?.sandbox;
  const facts: Fact[] = [
    {
      label: "Runtime",
      value: <StateMark {...states[runtime.state]} />,
      note:
        runtime.message ?? `Runner ${runtime.runner}, ${seconds("describe")} per question, ${seconds("plan")} to plan.`,
    },
    {
      label: "Sandbox",
      value: runtime.sandbox ?? <span className={styles.quiet}>none yet: it is not armed</span>,
      note: host && `This host offers ${host.level ?? "none"}; ${host.least} is the least accepted.`,
    },
  ];
  if (runtime.breaker !== null) {
    const { says, ...mark } = breakers[runtime.breaker];
    facts.push({ label: "Breaker", value: <StateMark {...mark} />, note: says });
    facts.push({
      label: "Questions",
      value: `${runtime.actions.toLocaleString("en-GB")} since it was armed`,
      note: runtime.failuresInARow === 0 ? "The last one went well." : `${runtime.failuresInARow} failed in a row.`,
    });
  }
  return (
    <Section title="Runtime">
      <Facts items={runtime.actions === 0 ? facts.map(withoutVerdict) : facts} />
      {runtime.lastErrors.length > 0 && (
        <Section title="Last errors" count={runtime.lastErrors.length}>
          <ol>
            {runtime.lastErrors.map(({ at, action, reason, stderr }, index) => (
              <li key={`${at} ${index}`} className={styles.answer}>
                <span>
                  <b>{action}</b>: {reason} <Time at={at} className={styles.quiet ?? ""} />
                </span>
                {stderr !== "" && (
                  // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it
                  <pre className={styles.inert} tabIndex={0} aria-label={`What it wrote to standard error, ${action}`}>
                    {visible(stderr)}
                  </pre>
                )}
              </li>
            ))}
          </ol>
        </Section>
      )}
    </Section>
  );
}

/** Nothing was asked yet, so nothing went well either. */
function withoutVerdict(fact: Fact): Fact {
  return fact.label === "Questions" ? { ...fact, note: undefined } : fact;
}

function seconds(action: "describe" | "plan"): string {
  return `${actionLimits.deadlineMs[action] / 1000} s`;
}

/** Control characters drawn as what they are: a plugin's words give no orders to a terminal that they are copied into. */
function visible(text: string): string {
  // oxlint-disable-next-line no-control-regex -- these are exactly the ones to show
  return text.replaceAll(
    /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`,
  );
}

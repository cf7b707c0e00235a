import type { Plugin } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { pluginsQuery } from "../../api/plugins.ts";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Section } from "../../ui/Section.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
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

/** How it runs and how it is fenced in. */
export function RuntimeFacts({ plugin }: { readonly plugin: Plugin }) {
  const { runtime } = plugin;
  const host = useQuery(pluginsQuery).data?.sandbox;
  const facts: Fact[] = [
    {
      label: "Runtime",
      value: <StateMark {...states[runtime.state]} />,
      note: runtime.message ?? `Runner ${runtime.runner}. Every question is a fresh process in the sandbox.`,
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
    </Section>
  );
}

/** Nothing was asked yet, so nothing went well either. */
function withoutVerdict(fact: Fact): Fact {
  return fact.label === "Questions" ? { ...fact, note: undefined } : fact;
}

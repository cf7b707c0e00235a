import type { ReactNode } from "react";
import { Section } from "../../ui/Section.tsx";
import { FindingView } from "../../widgets/PlanSections/FindingView.tsx";
import type { Composed, Source } from "./compose-wish.ts";
import { readFirewall, sayFirewall } from "./firewall-form.ts";
import styles from "./NewPlanPage.module.css";
import { sayChanges } from "./say-changes.ts";
import { type NetworkHosts, readNetwork, sayNetwork } from "./wireguard-form.ts";

export interface InWordsProps {
  readonly typed: Composed;
  readonly source: Source;
  readonly hosts: NetworkHosts;
  readonly aside: ReactNode;
}

/** What was written so far, as reviewers will read it. */
export function InWords({ typed, source, hosts, aside }: InWordsProps) {
  return (
    <Section title="In words" aside={aside}>
      {source.form === "hand" && <Changes typed={typed} />}
      {source.form === "firewall" && <Firewalls typed={typed} />}
      {source.form === "wireguard" && <Network typed={typed} hosts={hosts} />}
      {source.form === "json" && (
        <p className={styles.nothing}>
          {source.plugin} draws it up from the input when the hosts are read. What it answers is checked, shown beside
          what is there now, and changes no host.
        </p>
      )}
    </Section>
  );
}

function Changes({ typed: { changes } }: Pick<InWordsProps, "typed">) {
  const said = sayChanges(changes.map(({ change }) => change));
  return (
    <ol className={styles.said}>
      {changes.map(({ key, change }, at) => {
        const { words = [], findings = [], wrong = {} } = said[at] ?? {};
        return (
          <li key={key}>
            <p>
              <code className={styles.quiet}>
                {at + 1}. {change.kind}
              </code>
            </p>
            {words.map((line) => (
              <p key={line}>{line}</p>
            ))}
            {words.length === 0 && <p className={styles.quiet}>Not whole yet. {Object.values(wrong)[0]}</p>}
            {findings.map((finding) => (
              <FindingView key={finding.code} finding={finding} />
            ))}
          </li>
        );
      })}
    </ol>
  );
}

function Firewalls({ typed: { firewall } }: Pick<InWordsProps, "typed">) {
  const { input, wrong } = readFirewall(firewall);
  return <Sentences lines={sayFirewall(input)} wrong={wrong} />;
}

function Network({ typed: { wireguard }, hosts }: Pick<InWordsProps, "typed" | "hosts">) {
  return <Sentences lines={sayNetwork(wireguard, hosts)} wrong={readNetwork(wireguard, hosts).wrong} />;
}

interface SentencesProps {
  readonly lines: readonly string[];
  readonly wrong: Readonly<Record<string, string>>;
}

function Sentences({ lines, wrong }: SentencesProps) {
  const [first] = Object.values(wrong);
  return (
    <ol className={styles.said}>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
      {first !== undefined && <li className={styles.quiet}>Not whole yet. {first}</li>}
    </ol>
  );
}

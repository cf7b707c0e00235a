import type { Node } from "@gatehouse/contract/routes";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Section } from "../../ui/Section.tsx";
import { Time } from "../../ui/Time.tsx";
import { CeilingBadge } from "../../widgets/Fleet/CeilingBadge.tsx";
import {
  type CeilingRow,
  ceilingSentences,
  ceilingTable,
  keepWords,
  parseCeilingView,
} from "../../widgets/Fleet/ceiling-words.ts";
import { acceptsWords } from "../../widgets/Plans/accepts-words.ts";
import styles from "./Ceiling.module.css";

/** The ceiling, drawn as one: above the line what the host refuses, whoever asks; under it what the server may do. */
export function Ceiling({ facts }: Pick<Node, "facts">) {
  return (
    <Section title="What the server may do here" aside={<CeilingBadge facts={facts} />}>
      {facts === null ? (
        <p className={styles.means}>
          The host has not told its ceiling yet. A new host starts as monitor: look, and nothing else.
        </p>
      ) : (
        <Drawn facts={facts} />
      )}
    </Section>
  );
}

function Drawn({ facts }: { readonly facts: NonNullable<Node["facts"]> }) {
  const view = parseCeilingView(facts.ceiling);
  const file = {
    label: "Digest",
    value: <Digest value={facts.ceilingDigest} label="digest of the ceiling" />,
    note: (
      <>
        Signed by the host, read <Time at={facts.receivedAt} />
      </>
    ),
  };
  if (view === undefined) {
    return (
      <>
        <p className={styles.means}>
          This page cannot read the ceiling of this host, which may be of a newer agent. The host holds to it all the
          same.
        </p>
        <pre className={styles.raw}>{facts.ceiling}</pre>
        <Facts items={[file]} />
      </>
    );
  }
  const { means, stolen } = ceilingSentences(view, facts.accepts);
  const { refused, allowed } = ceilingTable(view);
  const kept = keptOpen(keepWords(view));
  return (
    <>
      <p className={styles.means}>{means}</p>
      <ul className={styles.over} aria-label="Refused on the host, whoever asks">
        {refused.map((words) => (
          <li key={words}>
            <span>{words}</span>
            <span className={styles.price}>refused</span>
          </li>
        ))}
      </ul>
      <p className={styles.line}>
        <b>Ceiling.</b> Set by root on this host. Only root there can raise it.
      </p>
      <ul className={styles.under} aria-label="What the server may do">
        {allowed.map((row) => (
          <Allowed key={row.title} row={row} />
        ))}
      </ul>
      <p className={styles.stolen}>
        <b>If this server is stolen:</b> {stolen}
      </p>
      <Facts items={[...whoseWord(facts), ...(kept === undefined ? [] : [kept]), file]} />
    </>
  );
}

/** Whose word counts here, and the file that says whose signature is one. */
function whoseWord({ accepts, trustDigest }: NonNullable<Node["facts"]>): readonly Fact[] {
  const { short, says } = acceptsWords[accepts];
  const takes = { label: "Takes", value: firstUpper(short), note: says };
  if (trustDigest === null) return [takes];
  const file = <CopyText text={trustDigest} label="digest of the trust file" tail={8} />;
  return [takes, { label: "Trust file", value: file, note: "Root’s file of approvers, by its digest." }];
}

function keptOpen(words: readonly string[] | undefined): Fact | undefined {
  if (words === undefined) return undefined;
  return {
    label: "Keeps open",
    value: words.length === 0 ? "Nothing" : <code className={styles.kept}>{words.join(", ")}</code>,
    note: "Whatever a plan says: the host refuses a firewall that closes it.",
  };
}

function firstUpper(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function Allowed({ row: { title, targets, price } }: { readonly row: CeilingRow }) {
  return (
    <li>
      <span>
        <b>{title}</b>
        {targets.length > 0 && <code>{targets.join(", ")}</code>}
      </span>
      <span className={styles.price}>{price}</span>
    </li>
  );
}

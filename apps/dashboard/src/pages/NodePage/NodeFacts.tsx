import type { Node } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useMay } from "../../api/auth.ts";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Time } from "../../ui/Time.tsx";
import { mapHref } from "../../widgets/Fleet/map-address.ts";
import { sayPlace } from "../../widgets/Fleet/place-text.ts";
import { skewWords } from "./skew-words.ts";
import { nodeWitnessQuery } from "./node-witness.ts";
import styles from "./NodePage.module.css";
import { witnessFact } from "./witness-fact.tsx";

export interface NodeFactsProps {
  readonly node: Node;
  readonly nameOf: (actor: string) => string;
}

/** What the host says of itself, and what is known of it here. */
export function NodeFacts({ node, nameOf }: NodeFactsProps) {
  const { facts, hostname, hostKey, address, clockSkewMs, enrolledAt, enrolledBy, lastSeenAt } = node;
  const witness = useQuery({ ...nodeWitnessQuery(node.id), enabled: useMay("audit:read") }).data ?? null;
  const said: Fact[] =
    facts === null
      ? [{ label: "Agent", value: <span className={styles.quiet}>The host has told nothing of itself yet.</span> }]
      : [
          {
            label: "Agent",
            value: `${facts.agentVersion}, ${facts.arch}`,
            note: <Digest value={facts.agentSha256} label="digest of the agent" />,
          },
          { label: "System", value: facts.os, note: `Kernel ${facts.kernel}` },
        ];
  return (
    <Section
      title="Facts"
      aside={
        facts !== null && (
          <span>
            said <Time at={facts.receivedAt} />
          </span>
        )
      }
    >
      <Facts
        items={[
          ...said,
          { label: "Hostname", value: <code className={styles.whole}>{facts?.hostname ?? hostname}</code> },
          { label: "Addresses", value: <Addresses own={facts?.addresses ?? []} from={address} /> },
          { label: "Place", value: <Place node={node} /> },
          { label: "Clock", value: skewWords(clockSkewMs) },
          ...(witness === null ? [] : [witnessFact(witness)]),
          {
            label: "Seen",
            value: lastSeenAt === null ? "Not since the server's start" : <Time at={lastSeenAt} focusable />,
          },
          {
            label: "Enrolled",
            value: <Time at={enrolledAt} absolute />,
            note: `${nameOf(enrolledBy)} made its code`,
          },
          {
            label: "Host key",
            value: <Digest value={hostKey} label="host key" />,
            note: "Ed25519, base64url. The id is a hash of it: no other host can have it.",
          },
        ]}
      />
    </Section>
  );
}

/** What was looked up stands on the map alone: it is no record of the node. */
function Place({ node: { id, place } }: Pick<NodeFactsProps, "node">) {
  const view = place === null ? undefined : { latitude: place.latitude, longitude: place.longitude, zoom: 5 };
  return (
    <>
      {place === null ? <span className={styles.quiet}>none set by hand</span> : `${sayPlace(place)}, set by hand`}
      {", "}
      <Link href={mapHref({ node: id, view })} look="quiet">
        look on the map
      </Link>
    </>
  );
}

function Addresses({ own, from }: { readonly own: readonly string[]; readonly from: string | null }) {
  return (
    <>
      {own.length === 0 && from === null && <span className={styles.quiet}>none known</span>}
      {own.map((address) => (
        <div key={address}>
          <code className={styles.whole}>{address}</code>
        </div>
      ))}
      {from !== null && (
        <div className={styles.quiet}>
          connects from <CopyText text={from} label="address" whole />
        </div>
      )}
    </>
  );
}

/** The units of the agent itself, as the host found them. */
export function Units({ facts }: Pick<Node, "facts">) {
  if (facts === null || facts.units.length === 0) return null;
  return (
    <Section title="Held by" count={facts.units.length}>
      <ul className={styles.units}>
        {facts.units.map(({ name, state }) => (
          <li key={name}>
            <code className={styles.whole}>{name}</code>
            <span>{state}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

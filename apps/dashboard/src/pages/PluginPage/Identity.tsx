import type { Plugin } from "@gatehouse/contract/routes";
import type { TrustedPublisher, TrustPolicy } from "../../api/plugins.ts";
import { Digest } from "../../ui/Digest.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Section } from "../../ui/Section.tsx";
import { sizeWords } from "../../ui/size-words.ts";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./PluginPage.module.css";

export interface IdentityProps {
  readonly plugin: Plugin;
  readonly trust: TrustPolicy | undefined;
  readonly publisher: TrustedPublisher | undefined;
}

type KeyStatus = TrustedPublisher["keys"][number]["status"];

const keyMarks: Readonly<Record<KeyStatus, { state: State; word: string }>> = {
  valid: { state: "ok", word: "Valid" },
  expired: { state: "warn", word: "Expired" },
  revoked: { state: "refused", word: "Revoked" },
};

/** Which bytes these are, whose, and how their keys stand in the trust policy today. */
export function Identity({ plugin, trust, publisher }: IdentityProps) {
  const { version, artifactSha256, payloadSha256, artifactSize, expiresAt } = plugin;
  const facts: Fact[] = [
    {
      label: "Artifact",
      value: <Digest value={artifactSha256} label={`digest of ${version}`} />,
      note: `SHA-256, ${sizeWords(artifactSize)}`,
    },
    {
      label: "Accepted as",
      value: <Digest value={payloadSha256} label="payload digest" />,
      note: "SHA-256 of the signed payload: digest, version, capabilities and contributions together.",
    },
    { label: "Publisher", value: plugin.publisher, note: publisherNote(trust, publisher) },
    { label: "Signed by", value: <Signers plugin={plugin} publisher={publisher} trust={trust} /> },
  ];
  if (expiresAt !== null) facts.push({ label: "Expires", value: <Time at={expiresAt} absolute /> });
  return (
    <Section title="Identity">
      <Facts items={facts} />
    </Section>
  );
}

function Signers({ plugin, publisher, trust }: IdentityProps) {
  if (plugin.signers.length === 0) return <>No key of the trust policy</>;
  return (
    <ul className={styles.keys}>
      {plugin.signers.map((id) => {
        const key = publisher?.keys.find((one) => one.id === id);
        const unknown = { state: "off", word: "Not in the trust policy" } as const;
        return (
          <li key={id}>
            {trust !== undefined && <StateMark {...(key === undefined ? unknown : keyMarks[key.status])} />}{" "}
            {key !== undefined && key.notAfter !== null && (
              <span className={styles.quiet}>
                until <Time at={key.notAfter} />
              </span>
            )}
            <div>
              <code>{id}</code>
            </div>
          </li>
        );
      })}
    </ul>
  );
}

function publisherNote(trust: TrustPolicy | undefined, publisher: TrustedPublisher | undefined) {
  if (trust === undefined) return undefined;
  if (publisher === undefined) return "Not named in the trust policy this server started with.";
  const { idPrefixes, threshold, keys, firstParty } = publisher;
  return (
    <>
      Trusted for ids that begin with{" "}
      {idPrefixes.map((prefix, at) => (
        <span key={prefix}>
          {at > 0 && ", "}
          <code>{prefix}</code>
        </span>
      ))}
      . {threshold} of {keys.length} {keys.length === 1 ? "key" : "keys"} must sign.
      {firstParty && " First-party: it may add to what this dashboard has of its own."}
    </>
  );
}

import { Columns } from "../../ui/Columns.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { Diff, SideBySide } from "../../ui/Diff.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import styles from "./GalleryPage.module.css";

const start = Date.now();
const minutes = (count: number) => start - count * 60_000;
const digest = "sha256:c41f8a029be7113f5e60d2a84c7719b0ae3d05f2687c9b14e8d1a7360c52fb98";

export function ReadingParts() {
  return (
    <>
      <Section title="Waiting for you" count={3} more={{ href: "/plugins", label: "All plugins" }}>
        <List>
          <ListItem
            state="wait"
            stateWord="Waiting"
            title="Edge Firewall 2.4.0: new digest"
            href="/plugins/edge-firewall"
            line={
              <>
                Accept or leave closed. Adds <code>host:service</code> and outbound access to 1 host.
              </>
            }
            time={<Time at={minutes(31)} />}
          />
          <ListItem
            state="refused"
            stateWord="Rejected"
            title="DNS Sync 1.8.0 rejected"
            href="/plugins/dns-sync"
            line="Artifact digest mismatch. Not loaded."
            time={<Time at={minutes(130)} />}
          />
          <ListItem state="warn" stateWord="Expires soon" title="Token deploy-eu expires" time="47 min left" soon />
        </List>
      </Section>
      <Section title="Identity and runtime">
        <Facts
          items={[
            { label: "Digest", value: <Digest value={digest} /> },
            { label: "Publisher", value: "Northgate Systems", note: "Trusted for edge- ids, up to host risk" },
            { label: "Signature", value: <StateMark state="ok" word="Valid, 2 of 2 keys" /> },
            {
              label: "Request",
              value: (
                <div className={styles.narrow}>
                  <CopyText text="nyc3-db-primary-replica-candidate-01" label="name" />
                </div>
              ),
            },
            {
              label: "Command",
              value: (
                <div className={styles.narrow}>
                  <CopyText
                    text="gatehouse token issue --name nyc3-db-primary-replica-01 --scope audit:read --expires 7d"
                    label="command"
                    whole
                  />
                </div>
              ),
            },
            {
              label: "Without copy",
              value: (
                <>
                  <CopyText text="usr_01k9x4t7qd" label="id" copy={false} /> <CopyButton text="mara" label="name" />
                </>
              ),
            },
            {
              label: "Since",
              value: <Time at={minutes(60 * 30)} focusable />,
              note: <Time at={minutes(1800)} absolute />,
            },
          ]}
        />
      </Section>
      <div className={styles.all}>
        <Section title="What 2.4.0 may do" aside="against 2.3.1">
          <SideBySide
            label="Capabilities"
            before="2.3.1, active"
            after="2.4.0, on disk"
            items={[
              {
                key: "s",
                kind: "add",
                value: <code>host:service</code>,
                note: "May put service restarts into a plan.",
              },
              { key: "f", kind: "same", value: <code>host:firewall</code> },
              { key: "k", kind: "del", value: <code>kv:write</code>, note: "Wrote its own keys in the store." },
            ]}
          />
        </Section>
      </div>
      <div className={styles.all}>
        <Columns
          isHeld
          main={
            <Section title="What a page is about">
              <p>The wide column takes what there is to read.</p>
            </Section>
          }
          beside={
            <Section title="What one decides by">
              <p>The narrow one comes below when there is no room beside.</p>
            </Section>
          }
        />
      </div>
      <div className={styles.all}>
        <Section title="Lines">
          <Diff
            label="Ruleset"
            lines={[
              { kind: "hunk", text: "table inet gatehouse, sets" },
              { kind: "same", before: 12, after: 12, text: "    type inet_service" },
              { kind: "del", before: 13, text: "    elements = { 443 }" },
              { kind: "add", after: 13, text: "    elements = { 443, 8443 }" },
              {
                kind: "add",
                after: 14,
                text: "    udp dport @quic_ports add @quic_meter { ip saddr limit rate over 400/second burst 800 packets } drop; udp dport @quic_ports accept",
              },
            ]}
          />
        </Section>
      </div>
    </>
  );
}

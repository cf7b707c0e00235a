import type { Node } from "@gatehouse/contract/routes";
import { CopyText } from "../../ui/CopyText.tsx";
import { Digest } from "../../ui/Digest.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { CeilingBadge } from "../Fleet/CeilingBadge.tsx";
import styles from "./Enrol.module.css";
import { idEnd } from "./ProgressWords.tsx";

/** What the newcomer says of itself, with what there is to compare. */
export function HostIsHere({ node }: { readonly node: Node }) {
  const { id, facts, address, tags } = node;
  return (
    <Facts
      items={[
        {
          label: "Its id ends in",
          value: <b className={styles.end}>{idEnd(id)}</b>,
          note: "Your host prints these too. If it printed others, this is another machine: turn it away.",
        },
        { label: "Id", value: <CopyText text={id} label="node id" whole /> },
        {
          label: "Ceiling",
          value: <CeilingBadge facts={facts} />,
          note: "Only root on the host can change it.",
        },
        ...(facts === null
          ? [{ label: "Facts", value: "Not told yet; they come with its first message." }]
          : [
              { label: "System", value: `${facts.os}, kernel ${facts.kernel}, ${facts.arch}` },
              {
                label: "Agent",
                value: facts.agentVersion,
                note: (
                  <>
                    <Digest value={facts.agentSha256} label="agent digest" />
                    <p>It says so itself; a compared download is what makes it true.</p>
                  </>
                ),
              },
            ]),
        {
          label: "Comes from",
          value: address === null ? "unknown" : <CopyText text={address} label="address" whole />,
        },
        ...(tags.length > 0 ? [{ label: "Tags", value: tags.join(", ") }] : []),
      ]}
    />
  );
}

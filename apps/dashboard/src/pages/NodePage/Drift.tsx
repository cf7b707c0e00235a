import type { DriftedPart, Node, NodeDrift } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useMay } from "../../api/auth.ts";
import { driftDifferenceQuery, driftQuery } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { Diff } from "../../ui/Diff.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import type { State } from "../../ui/StateMark.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { numberLines } from "../../widgets/PlanSections/number-lines.ts";
import styles from "./NodePage.module.css";
import { PlanBackDialog } from "./PlanBackDialog.tsx";

/** What somebody changed on the host since a plan was confirmed there, and the way back. Nothing where nothing was ever confirmed. */
export function Drift({ node }: { readonly node: Node }) {
  const read = useQuery(driftQuery(node.id));
  const mayPlan = useMay("plan:create");
  const [isAsked, setAsked] = useState(false);
  if (read.isError) {
    return <ApiErrorView error={read.error} title="What differs could not be read" size="inline" />;
  }
  const drift = read.data;
  if (drift === undefined || (drift.items.length === 0 && (drift.watched ?? 0) === 0)) return null;
  if (drift.items.length === 0) return <AsConfirmed drift={drift} />;
  const canPlan = mayPlan && node.state !== "revoked" && drift.items.some(({ state }) => state !== "unread");
  return (
    <Section
      title="Differs from what was confirmed"
      count={drift.items.length + drift.more}
      aside={drift.checkedAt !== null && <Checked at={drift.checkedAt} />}
    >
      <List label="Parts that differ">
        {drift.items.map((item) => (
          <Part key={item.subject} node={node} item={item} />
        ))}
      </List>
      {drift.more > 0 && <p className={styles.empty}>and {drift.more.toLocaleString("en-GB")} more</p>}
      {canPlan && (
        <div className={styles.planBack}>
          <Button onClick={() => setAsked(true)}>Plan it back…</Button>
        </div>
      )}
      {isAsked && <PlanBackDialog node={node} onClose={() => setAsked(false)} />}
    </Section>
  );
}

function AsConfirmed({ drift: { watched, checkedAt } }: { readonly drift: NodeDrift }) {
  const parts =
    watched === 1 ? "The part that a plan has left here is" : `All ${watched ?? 0} parts that plans have left here are`;
  return (
    <Section title="As confirmed" aside={checkedAt !== null && <Checked at={checkedAt} />}>
      <p className={styles.empty}>{parts} as confirmed. The host looks each hour, and whenever it connects.</p>
    </Section>
  );
}

function Checked({ at }: { readonly at: string }) {
  return (
    <span className={styles.quiet}>
      checked <Time at={at} />
    </span>
  );
}

const looks: Readonly<Record<DriftedPart["state"], { readonly state: State; readonly word: string }>> = {
  differs: { state: "warn", word: "Differs" },
  missing: { state: "warn", word: "Missing" },
  unread: { state: "unheard", word: "Could not be read" },
};

function Part({ node, item }: { readonly node: Node; readonly item: DriftedPart }) {
  const { state, word } = looks[item.state];
  const mayRead = useMay("plan:read");
  const [isOpen, setOpen] = useState(false);
  return (
    <ListItem
      state={state}
      stateWord={word}
      title={<code className={styles.whole}>{item.subject}</code>}
      line={
        <>
          {item.why ?? sayDigests(item)}
          {isOpen && <Difference id={node.id} subject={item.subject} />}
        </>
      }
      time={
        <>
          {word}, <Time at={item.since} />
        </>
      }
      actions={
        mayRead &&
        item.state !== "unread" &&
        node.state === "online" && (
          <Button size="small" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Compare
          </Button>
        )
      }
    />
  );
}

function sayDigests({ expected, found }: DriftedPart) {
  const short = (digest: string) => <code title={digest}>{digest.slice(0, 12)}</code>;
  return (
    <>
      {expected === null ? "It was changed before it could be hashed" : <>Expected {short(expected)}</>}
      {found === null ? ", found nothing there." : <>, found {short(found)}.</>}
    </>
  );
}

/** As the host says at this moment. Of a file it tells digests alone, so that only what the plan wanted stands there as text. */
function Difference({ id, subject }: { readonly id: string; readonly subject: string }) {
  const read = useQuery(driftDifferenceQuery(id, subject));
  if (read.isPending) return <Skeleton shape="lines" count={3} label="Asking the host" />;
  if (read.isError) return <ApiErrorView error={read.error} title="The host could not be compared" size="inline" />;
  return <Diff label={`What differs at ${subject}`} lines={numberLines(read.data.diff, false)} />;
}

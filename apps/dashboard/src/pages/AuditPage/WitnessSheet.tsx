import type { AuditWitnessView } from "@gatehouse/contract/routes";
import { useMay } from "../../api/auth.ts";
import type { AuditWitnesses } from "../../api/witnesses.ts";
import { Link } from "../../ui/Link.tsx";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { Sheet } from "../../ui/Sheet.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import type { State } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { disbelieves, whyOf } from "../../widgets/disbelief.ts";
import { countHosts } from "./chain-drawing.ts";
import { cannotTellTodo } from "./disbelief-words.ts";
import { type HeldHead, heldHeads, untoldHosts } from "./held-heads.ts";
import { acceptHead, checkCopy, CommandToRun, takeHeads } from "./WhatToDo.tsx";
import styles from "./WitnessSheet.module.css";

export interface WitnessSheetProps {
  readonly witnesses: AuditWitnesses | undefined;
  readonly onClose: () => void;
}

/** Which host holds what of this log, and how to check it without this server. */
export function WitnessSheet({ witnesses, onClose }: WitnessSheetProps) {
  return (
    <Sheet open onClose={onClose} title="Who else knows this log">
      <div className={styles.sheet}>
        {witnesses === undefined ? (
          <Skeleton shape="list" count={4} label="Reading what hosts hold of the log" />
        ) : (
          <Holders witnesses={witnesses} />
        )}
        <Section title="Check it without this server">
          <p className={styles.words}>
            A server can lie about itself. As root on a host, take its heads; then check a copy of the data directory on
            your own machine:
          </p>
          <CommandToRun text={takeHeads} />
          <CommandToRun text={checkCopy} />
        </Section>
      </div>
    </Sheet>
  );
}

/** Older heads than these are seldom more than one host each. */
const mostHeads = 20;
const mostNames = 3;

function Holders({ witnesses: { items, nextCursor, head, summary } }: { readonly witnesses: AuditWitnesses }) {
  const heads = heldHeads(items);
  const untold = untoldHosts(items);
  const refusing = items.filter(({ state }) => state === "refuses");
  const all = summary.agree + summary.behind + summary.refuse + summary.silent;
  if (all === 0) {
    return (
      <p className={styles.words}>
        Nobody else knows this log. A host that is enrolled keeps its signed heads by itself, and refuses a log that
        does not go on from them.
      </p>
    );
  }
  return (
    <>
      <List label="Who holds what of the log">
        {refusing.map((host) => (
          <Refusing key={host.node} host={host} />
        ))}
        {heads.slice(0, mostHeads).map((held) => (
          <Holding key={held.position} held={held} newest={head?.position} />
        ))}
        {heads.length > mostHeads && (
          <ListItem
            title={`${(heads.length - mostHeads).toLocaleString("en-GB")} older heads`}
            line="Each fits this log."
          />
        )}
        {untold.length > 0 && (
          <ListItem
            state="unheard"
            stateWord="Not heard"
            title={<Names hosts={untold} />}
            time="none told"
            line="Not heard: away, just started, or with an agent that keeps no heads."
          />
        )}
      </List>
      {nextCursor !== null && (
        <p className={styles.words}>
          The first {items.length.toLocaleString("en-GB")} of {countHosts(all)}; all of them:{" "}
          <code>gatehouse audit witnesses</code>
        </p>
      )}
    </>
  );
}

function Holding({
  held: { position, at, hosts },
  newest,
}: {
  readonly held: HeldHead;
  readonly newest: number | undefined;
}) {
  const isAway = hosts.every(({ state }) => state === "silent");
  const state: State = isAway ? "off" : "ok";
  const rest = isAway ? "not connected now" : position === newest ? "the newest there is" : "an older head of this log";
  return (
    <ListItem
      state={state}
      stateWord={isAway ? "Away" : "Fits"}
      title={<Names hosts={hosts} />}
      time={`#${position.toLocaleString("en-GB")}`}
      line={
        <>
          {at !== null && (
            <>
              Signed <Time at={at} />,{" "}
            </>
          )}
          {rest}.
        </>
      }
    />
  );
}

function Refusing({ host }: { readonly host: AuditWitnessView }) {
  const { code, position } = host;
  const todo = code === null ? undefined : cannotTellTodo[code];
  return (
    <ListItem
      state={disbelieves(host) ? "refused" : "warn"}
      stateWord={disbelieves(host) ? "Refuses" : "Cannot tell"}
      title={<Names hosts={[host]} />}
      time={position === null ? "none" : `#${position.toLocaleString("en-GB")}`}
      line={
        <>
          {whyOf(host)}
          {todo !== undefined && (
            <>
              {" "}
              {todo}
              <CommandToRun text={acceptHead} />
            </>
          )}
        </>
      }
    />
  );
}

function Names({ hosts }: { readonly hosts: readonly AuditWitnessView[] }) {
  const mayLook = useMay("node:read");
  if (hosts.length > mostNames) return <>{countHosts(hosts.length)}</>;
  return hosts.map(({ node, name }, at) => (
    <span key={node}>
      {at > 0 && ", "}
      {mayLook ? (
        <Link href={`/nodes/${node}`} look="quiet">
          {name}
        </Link>
      ) : (
        name
      )}
    </span>
  ));
}

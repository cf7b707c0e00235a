import { Fragment, type ReactNode, useState } from "react";
import { Button } from "../../ui/Button.tsx";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { cx } from "../../ui/cx.ts";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Mark, type State } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { VisuallyHidden } from "../../ui/VisuallyHidden.tsx";
import { shortDigest } from "../PluginSummary/plugin-summary.ts";
import styles from "./GateTrack.module.css";
import { Leaf } from "./Leaf.tsx";
import type { Gate, GateName, LeafState, Passage } from "./passages.ts";

const names: Readonly<Record<GateName, { title: string; says: string }>> = {
  publish: { title: "Publish", says: "The publisher signs" },
  verify: { title: "Verify", says: "This server checks" },
  activate: { title: "Activate", says: "An operator accepts, then arms" },
  apply: { title: "Apply", says: "An approver signs each plan" },
};

const leafWords: Readonly<Record<LeafState, string>> = {
  open: "passed",
  next: "yours to open",
  shut: "shut",
  again: "closed again",
};

export interface GateTrackProps {
  readonly passages: readonly Passage[];
  readonly nameOf: (actor: string) => string;
  /** The mark of where the digest stands now. */
  readonly mark: State;
  /** The one button, with its sentence; stands under the activate gate of the digest that speaks now. */
  readonly action?: ReactNode;
}

const shownOld = 1;

/**
 * The plan of a gatehouse: four walls with one leaf each, and a passage for every digest. A new digest is seen to start over,
 * because the passage of the one before it ends in leaves that are shut again.
 */
export function GateTrack({ passages, nameOf, mark, action }: GateTrackProps) {
  const [all, setAll] = useState(false);
  const [current, ...old] = passages;
  const shown = all ? old : old.slice(0, shownOld);
  return (
    <section className={styles.track} aria-label="Gate track">
      <Names />
      {current !== undefined && <Row passage={current} nameOf={nameOf} mark={mark} action={action} />}
      {shown.map((passage) => (
        <Row key={passage.key} passage={passage} nameOf={nameOf} />
      ))}
      {old.length > shownOld && (
        <p className={styles.more}>
          <Button look="bare" size="small" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show fewer" : `Show ${old.length - shownOld} older, closed`}
          </Button>
        </p>
      )}
    </section>
  );
}

/** The walls before it is known what stands in the passage: the same height, so that nothing jumps. */
export function GateTrackSkeleton() {
  return (
    <div className={styles.track}>
      <Names />
      <div className={styles.row} aria-hidden="true">
        <div className={styles.lane}>
          <span className={cx(styles.way, styles.none)} />
          <Skeleton shape="lines" count={2} label="Reading the gates" />
        </div>
        {Object.keys(names).map((name) => (
          <div key={name} className={styles.gate}>
            <span className={styles.wallA} />
            <span className={styles.wallB} />
            <span className={cx(styles.way, styles.none)} />
            <Leaf state="shut" />
            <Skeleton shape="lines" count={3} />
          </div>
        ))}
      </div>
    </div>
  );
}

function Names() {
  return (
    <div className={cx(styles.row, styles.names)} aria-hidden="true">
      <div>
        Acceptance belongs to bytes.
        <br />A new digest starts again.
      </div>
      {Object.entries(names).map(([name, { title, says }]) => (
        <div key={name}>
          <span className={styles.cap} />
          <b>{title}</b>
          <small>{says}</small>
        </div>
      ))}
    </div>
  );
}

type RowProps = { passage: Passage; nameOf: (actor: string) => string; mark?: State; action?: ReactNode };

function Row({ passage, nameOf, mark, action }: RowProps) {
  const { version, artifactSha256, word, isOld, gates } = passage;
  const stop = gates.findLastIndex(({ leaf }) => leaf === "open");
  return (
    <ol className={cx(styles.row, isOld && styles.old)} aria-label={`${version}, ${word}`}>
      <li className={styles.lane}>
        <span className={cx(styles.way, isOld && styles.ghost)} />
        <p>
          <b>{version}</b> {word}
        </p>
        <code title={artifactSha256}>{shortDigest(artifactSha256)}</code>{" "}
        <CopyButton text={artifactSha256} label={`digest of ${version}`} />
      </li>
      {gates.map((gate, at) => (
        <li key={gate.name} className={styles.gate}>
          <span className={styles.wallA} />
          <span className={styles.wallB} />
          <span className={cx(styles.way, at > stop ? styles.none : isOld && styles.ghost)} />
          <Leaf state={gate.leaf} />
          {at === stop && mark !== undefined && (
            <span className={styles.here}>
              <Mark state={mark} size={15} />
            </span>
          )}
          <GateWords gate={gate} nameOf={nameOf} />
          {gate.name === "activate" && action}
        </li>
      ))}
    </ol>
  );
}

function GateWords({ gate, nameOf }: { gate: Gate; nameOf: (actor: string) => string }) {
  return (
    <>
      <p className={styles.name}>
        {names[gate.name].title}
        <VisuallyHidden>, {leafWords[gate.leaf]}: </VisuallyHidden>
      </p>
      <p className={styles.title}>{gate.title}</p>
      {gate.lines.map((line, at) => (
        <p key={at}>
          {line.text}
          {line.actor !== undefined && <> by {inside(nameOf(line.actor))}</>}
          {line.at !== undefined && (
            <Fragment>
              {line.actor === undefined ? " " : ", "}
              <Time at={line.at} />
            </Fragment>
          )}
        </p>
      ))}
    </>
  );
}

/** "You" in the middle of a sentence. */
function inside(name: string): string {
  return name === "You" ? "you" : name;
}

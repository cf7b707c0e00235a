import type { Plan } from "@gatehouse/contract/routes";
import { Digest } from "../../ui/Digest.tsx";
import { type Fact, Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { findingWords, isOpenPlan, isWithdrawn, sayPlanState, wasStarted } from "../../widgets/Plans/plan-state.ts";
import { Approvals } from "./Approvals.tsx";
import { Block, Line, Lines } from "../../widgets/Plans/Block.tsx";
import styles from "./PlanPage.module.css";
import type { PlanRight } from "../../widgets/Plans/plan-rights.ts";
import { RunSummary } from "./RunSummary.tsx";

export interface DecisionProps {
  readonly plan: Plan;
  readonly rights: readonly PlanRight[];
  readonly nameOf: (actor: string) => string;
}

/** What one decides by: how long there is, which bytes are meant, what the lint says, whom it reaches, and what one may do. */
export function Decision({ plan, rights, nameOf }: DecisionProps) {
  return (
    <>
      {wasStarted(plan) ? (
        <RunSummary plan={plan} />
      ) : isOpenPlan(plan) ? (
        <Block title="Expires" aside={<Time at={plan.expiresAt} absolute />}>
          <p className={styles.big}>
            <Time at={plan.expiresAt} />
          </p>
        </Block>
      ) : (
        <HowItEnded plan={plan} nameOf={nameOf} />
      )}
      <Block title="Plan digest" aside="of the exact bytes">
        <Digest value={plan.digest} label="digest of the plan" />
      </Block>
      <Approvals plan={plan} nameOf={nameOf} maySign={rights.some(({ act, may }) => act === "sign" && may)} />
      {rights.length > 0 && (
        <Block title="Why you may or may not">
          <Lines>
            {rights.map(
              ({ act, may, says }) =>
                says !== null && (
                  <Line key={act} state={may ? "ok" : "idle"}>
                    {says}
                  </Line>
                ),
            )}
          </Lines>
        </Block>
      )}
      <Lint plan={plan} />
      <Block title="Where it is from">
        <Facts items={originOf(plan, nameOf)} />
      </Block>
    </>
  );
}

function HowItEnded({ plan, nameOf }: Pick<DecisionProps, "plan" | "nameOf">) {
  const { stateAt, movedBy, reason, replacedBy, state } = plan;
  return (
    <Block title="How it ended" aside={<Time at={stateAt} absolute />}>
      <p className={styles.ended}>
        <StateMark {...sayPlanState(plan)} />
      </p>
      <p>
        {isWithdrawn(plan) && `${nameOf(movedBy)} took it back.`}
        {state === "rejected" && reason !== null && (
          <>
            {nameOf(movedBy)}: {reason}
          </>
        )}
        {state === "expired" && replacedBy === null && "Nobody began it in time. "}
        {replacedBy !== null && (
          <>
            Another plan took its place:{" "}
            <Link href={`/plans/${replacedBy}`} look="quiet">
              <code>{replacedBy}</code>
            </Link>
            .
          </>
        )}
      </p>
      <p>Nothing was changed on any host.</p>
    </Block>
  );
}

function Lint({ plan: { findings } }: Pick<DecisionProps, "plan">) {
  const { refuse, warn, note } = findings;
  const state: State = refuse > 0 ? "bad" : warn > 0 ? "warn" : "ok";
  const verdict = refuse > 0 ? "The lint refuses it." : warn > 0 ? "It passes, with warnings to read." : "It passes.";
  const words = [
    findingWords(findings),
    note > 0 ? `${note.toLocaleString("en-GB")} ${note === 1 ? "note" : "notes"}` : "",
  ];
  return (
    <Block title="Lint" aside={words.filter((part) => part !== "").join(", ") || "nothing found"}>
      <Lines>
        <Line state={state}>
          <b>{verdict}</b> {refuse > 0 && "It would cut somebody off; each reason stands beside its host."}
        </Line>
      </Lines>
    </Block>
  );
}

function originOf(plan: Plan, nameOf: DecisionProps["nameOf"]): Fact[] {
  const { source, author, createdAt, nodes, skipped, kinds, management, replaces, undoes } = plan;
  return [
    { label: "Author", value: nameOf(author), note: <Time at={createdAt} absolute /> },
    {
      label: "Drawn up by",
      value: source.from === "person" ? "The author, by hand" : `${source.plugin} ${source.version}`,
      note: source.from === "plugin" && <Digest value={source.artifactSha256} label="digest of the plugin" />,
    },
    { label: "Operations", value: <code>{kinds.join(", ")}</code> },
    { label: "Hosts", value: nodes.toLocaleString("en-GB") },
    ...(skipped.length === 0 ? [] : [{ label: "Left out", value: <Skipped skipped={skipped} />, note: notConnected }]),
    ...(management.length === 0
      ? []
      : [{ label: "Managed from", value: <code className={styles.whole}>{management.join(", ")}</code> }]),
    ...(undoes === null ? [] : [{ label: "Takes back", value: <PlanLink id={undoes} /> }]),
    ...(replaces === null ? [] : [{ label: "Replaces", value: <PlanLink id={replaces} /> }]),
  ];
}

const notConnected = "Not connected when the plan was made: the plan is not for them.";

function Skipped({ skipped }: Pick<Plan, "skipped">) {
  return <code className={styles.whole}>{skipped.map(({ name }) => name).join(", ")}</code>;
}

function PlanLink({ id }: { readonly id: string }) {
  return (
    <Link href={`/plans/${id}`} look="quiet">
      <code className={styles.whole}>{id}</code>
    </Link>
  );
}

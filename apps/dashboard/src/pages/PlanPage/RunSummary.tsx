import type { TaskState } from "@gatehouse/contract";
import type { Plan, PlanTask, PlanWaves } from "@gatehouse/contract/routes";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { planTaskPages, planWavesQuery } from "../../api/plans.ts";
import { Link } from "../../ui/Link.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { useSeconds } from "../../ui/use-clock.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { Block, Line, Lines } from "../../widgets/Plans/Block.tsx";
import { nextToRestore } from "../../widgets/Plans/restore-clock.ts";
import { sayEnded, sayHostAfter, sayTask } from "../../widgets/Plans/task-words.ts";
import { countAll, countOf, markOfWave, nameWave, sayHaltRule, unkeptStates } from "../../widgets/Plans/wave-words.ts";
import styles from "./RunSummary.module.css";

type Started = Pick<Plan, "id" | "nodes" | "state" | "stateAt" | "approvals" | "ended">;

const when = { running: "since", halted: "halted", done: "ended" } as const;

/** How far a plan is that was started: how many hosts have kept the change, what is under way, and what halts it. */
export function RunSummary({ plan }: { readonly plan: Started }) {
  const waves = useQuery(planWavesQuery(plan.id));
  if (waves.data === undefined) {
    return waves.isError ? (
      <Block title="Confirmed">
        <ApiErrorView error={waves.error} title="How far it is could not be read" size="inline" />
      </Block>
    ) : null;
  }
  const { items } = waves.data;
  const tasks = countAll(items);
  const confirmed = tasks.applied ?? 0;
  const without = unkeptStates.filter((state) => countOf(tasks, [state]) > 0);
  return (
    <>
      <Block title="Confirmed" aside={<Moment plan={plan} />}>
        <p className={styles.count} role="status">
          {numbered(confirmed)} of {numbered(plan.nodes)} {plan.nodes === 1 ? "host" : "hosts"}
        </p>
        <svg className={styles.bar} height="3" aria-hidden="true">
          <rect className={styles.whole} width="100%" height="3" />
          <rect className={styles.part} width={`${(confirmed / plan.nodes) * 100}%`} height="3" />
        </svg>
        {plan.ended !== null && <p className={styles.says}>{sayEnded(plan.ended)}</p>}
      </Block>
      {plan.state !== "done" && <Now plan={plan} sent={tasks.sent ?? 0} queued={tasks.queued ?? 0} />}
      {items.length > 1 && <WaveList waves={waves.data} />}
      {plan.state === "running" && (
        <Block title="When it halts">
          <p className={styles.says}>{sayHaltRule(waves.data)}</p>
        </Block>
      )}
      {without.length > 0 && (
        <Block title="Without the change" aside={numbered(countOf(tasks, without))}>
          <ul className={styles.rows}>
            {without.map((state) => (
              <EndRow key={state} plan={plan.id} state={state} count={countOf(tasks, [state])} />
            ))}
          </ul>
        </Block>
      )}
    </>
  );
}

function Moment({ plan: { state, stateAt } }: { readonly plan: Started }) {
  return (
    <>
      {state === "running" || state === "halted" || state === "done" ? when[state] : ""} <Time at={stateAt} absolute />
    </>
  );
}

/** What goes on, and what was not begun. The server cannot call a host back. */
function Now({ plan, sent, queued }: { readonly plan: Started; readonly sent: number; readonly queued: number }) {
  const isHalted = plan.state === "halted";
  if (isHalted && sent + queued === 0) return null;
  return (
    <Block title="Now">
      <Lines>
        {sent > 0 && <NextToRestore plan={plan} />}
        <Line state={sent > 0 ? "run" : "idle"}>
          {sent === 0 && "No host is under way."}
          {sent > 0 && `${hosts(sent)} under way${isHalted ? ": each confirms or restores itself" : ""}.`}
        </Line>
        {queued > 0 && (
          <Line state="idle">
            {isHalted
              ? `${hosts(queued)} ${queued === 1 ? "was" : "were"} sent nothing.`
              : `${hosts(queued)} queued: each is sent the plan when its wave is open and it is connected.`}
          </Line>
        )}
      </Lines>
    </Block>
  );
}

/** The one host that somebody may have to watch: the next that takes the change back unless it calls. */
function NextToRestore({ plan }: { readonly plan: Started }) {
  // The table beside it asks for the same, or for more: this is no request of its own.
  const list = useInfiniteQuery(planTaskPages(plan.id, { notable: "yes" }));
  const tasks: readonly PlanTask[] = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const next = nextToRestore(tasks, plan.approvals, useSeconds());
  if (next === undefined) return null;
  return (
    <Line state="run">
      <b>
        <code>{next.name}</code> restores itself in {next.seconds} s
      </b>{" "}
      unless it calls back.
    </Line>
  );
}

/** More waves than these are told by the walls alone. */
const mostListed = 12;

function WaveList({ waves: { items } }: { readonly waves: PlanWaves }) {
  if (items.length > mostListed) return null;
  return (
    <Block title="Waves" aside={numbered(items.length)}>
      <ul className={styles.rows}>
        {items.map((wave) => (
          <li key={wave.index}>
            <Mark state={markOfWave(wave)} size={9} />
            <span>{nameWave(wave)}</span>
            <span className={styles.soft}>{wave.tag === null ? "" : `tag ${wave.tag}`}</span>
            <span className={styles.number}>
              {numbered(wave.tasks.applied ?? 0)} of {numbered(wave.nodes)}
            </span>
          </li>
        ))}
      </ul>
    </Block>
  );
}

interface EndRowProps {
  readonly plan: string;
  readonly state: TaskState;
  readonly count: number;
}

function EndRow({ plan, state, count }: EndRowProps) {
  const said = sayTask({ state, code: null });
  return (
    <li>
      <Mark state={said.state} size={9} />
      <Link href={`/plans/${plan}?task=${state}`} look="quiet">
        {said.word}
      </Link>
      <span className={styles.soft}>{sayHostAfter(state)}</span>
      <span className={styles.number}>{numbered(count)}</span>
    </li>
  );
}

function hosts(count: number): string {
  return count === 1 ? "1 host" : `${numbered(count)} hosts`;
}

function numbered(count: number): string {
  return count.toLocaleString("en-GB");
}

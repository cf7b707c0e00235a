import { splitServiceWords } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import { useMay } from "../../api/auth.ts";
import { cx } from "../../ui/cx.ts";
import { ShortText } from "../../ui/ShortText.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { windowsOf } from "../../widgets/Plans/restore-clock.ts";
import {
  afterTask,
  isArmed,
  isTaskEnd,
  sayTask,
  sayUnsent,
  todoOf,
  trackOf,
  whyTask,
} from "../../widgets/Plans/task-words.ts";
import styles from "./PlanPage.module.css";
import { ReadLogs } from "./ReadLogs.tsx";
import { RestoreClock } from "./RestoreClock.tsx";
import { StepTrack } from "./StepTrack.tsx";

export interface TaskTableProps {
  readonly label: string;
  readonly tasks: readonly PlanTask[];
  readonly plan: Pick<Plan, "approvals" | "state">;
  readonly stale: boolean;
  readonly hideHead?: boolean;
}

/** Hosts of a plan, each with what became of it there and why. */
export function TaskTable({ label, tasks, plan: { approvals, state }, stale, hideHead = false }: TaskTableProps) {
  const mayRead = useMay("node:read");
  const columns = useMemo(() => columnsOf(approvals, state === "halted"), [approvals, state]);
  return (
    <Table
      label={label}
      columns={columns}
      rows={tasks}
      rowKey={({ id }) => id}
      rowHref={({ node }) => (mayRead ? `/nodes/${node}` : undefined)}
      stale={stale}
      hideHead={hideHead}
    />
  );
}

function columnsOf(approvals: Plan["approvals"], isHalted: boolean): readonly Column<PlanTask>[] {
  const windows = windowsOf(approvals);
  return [
    {
      key: "host",
      head: "Host",
      least: 150,
      cell: ({ name }) => (
        <code>
          <ShortText text={name} most={28} />
        </code>
      ),
    },
    { key: "state", head: "State", least: 140, cell: (task) => <Standing task={task} isHalted={isHalted} /> },
    {
      key: "why",
      head: "Why",
      least: 220,
      width: "wide",
      cell: (task) =>
        task.state === "queued" ? (
          sayUnsent(isHalted).why
        ) : (
          <Why task={task} window={windows.get(task.approval ?? "")} />
        ),
    },
    { key: "at", head: "Since", least: 90, align: "end", phone: "time", cell: (task) => <Time at={sinceOf(task)} /> },
  ];
}

function Standing({ task, isHalted }: { readonly task: PlanTask; readonly isHalted: boolean }) {
  const { state, word } = task.state === "queued" ? sayUnsent(isHalted) : sayTask(task);
  return <StateMark state={state} word={word} loud={isLoud(task)} />;
}

/** Ends are coloured, also the good one: a change that a host has confirmed is what everybody waits for. */
function isLoud({ state, code }: PlanTask): boolean {
  return isTaskEnd(state) && code !== "apply.absent";
}

function sinceOf({ stateAt, step, state }: PlanTask): string {
  return step === null || isTaskEnd(state) ? stateAt : step.at;
}

function Why({ task, window }: { readonly task: PlanTask; readonly window: number | undefined }) {
  const { code, detail, state } = task;
  const todo = todoOf(task);
  const steps = trackOf(task);
  const after = afterTask(task);
  const isBad = state === "failed_after_change";
  const isUnderTimer = isArmed(task) && !isTaskEnd(state);
  const hasClock = isUnderTimer && window !== undefined && (task.step?.armedAt ?? null) !== null;
  return (
    <div className={cx(styles.why, isBad && cx(styles.refuse, styles.loud))}>
      {steps !== undefined && <StepTrack steps={steps} />}
      {isBad && after !== undefined && <strong>{after}</strong>}
      {/* The clock says it of a host whose timer is known. */}
      {!hasClock && (
        <p>
          {whyTask(task)} {code !== null && <code className={styles.hash}>{code}</code>}
        </p>
      )}
      {!isBad && after !== undefined && <p>{after}</p>}
      {window !== undefined && isUnderTimer && <RestoreClock task={task} window={window} />}
      {detail !== null && <Detail detail={detail} />}
      <ReadLogs told={task.told} />
      {todo !== undefined && (
        <p className={styles.quiet}>
          {todo.split("`").map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}
        </p>
      )}
    </div>
  );
}

/** What the host said, and below it what a service said that fell, as it wrote it. */
function Detail({ detail }: { readonly detail: string }) {
  const { says, lines } = splitServiceWords(detail);
  return (
    <>
      <p className={styles.quiet}>{says}</p>
      {lines.length > 0 && (
        <pre className={styles.said} aria-label="The last that the service said">
          <code>{lines.join("\n")}</code>
        </pre>
      )}
    </>
  );
}

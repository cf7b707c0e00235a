import { splitServiceWords, type TaskState, taskStates } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { useMay } from "../../api/auth.ts";
import { planTaskPages } from "../../api/plans.ts";
import { Banner } from "../../ui/Banner.tsx";
import { cx } from "../../ui/cx.ts";
import { Section } from "../../ui/Section.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import styles from "./PlanPage.module.css";
import { StepTrack } from "./StepTrack.tsx";
import { ReadLogs } from "./ReadLogs.tsx";
import {
  afterTask,
  countTasks,
  isArmed,
  isServiceDown,
  isTaskEnd,
  sayTask,
  todoOf,
  trackOf,
  whyTask,
} from "../../widgets/Plans/task-words.ts";

export interface TaskListProps {
  readonly plan: Pick<Plan, "id" | "nodes" | "state" | "approvals">;
}

/** What became of the plan on each host, as the hosts say it. `?task=` shows those in one state. */
export function TaskList({ plan }: TaskListProps) {
  const mayRead = useMay("node:read");
  const state = readTaskState(useSearch({ strict: false }));
  const list = useInfiniteQuery({ ...planTaskPages(plan.id, state), placeholderData: keepPreviousData });
  const tasks = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const columns = useMemo(() => columnsOf(plan.approvals), [plan.approvals]);
  return (
    <Section
      title={state === undefined ? "What became of it" : `What became of it: ${sayTask({ state, code: null }).word}`}
      aside={<Answered tasks={tasks} isWhole={!list.hasNextPage && state === undefined} />}
      more={state === undefined ? undefined : { href: `/plans/${plan.id}`, label: "All hosts" }}
    >
      {list.isPending && (
        <Skeleton shape="rows" count={Math.min(plan.nodes, 8)} columns={4} label="Reading what became of it" />
      )}
      <ListError list={list} noun="answers of the hosts" />
      {list.isSuccess && tasks.length === 0 && (
        <p className={styles.empty}>
          {state === undefined ? "Nothing was sent to a host yet." : "No host is in that state."}
        </p>
      )}
      <FailedAfterChange tasks={tasks} />
      {tasks.length > 0 && (
        <Table
          label="What became of it on each host"
          columns={columns}
          rows={tasks}
          rowKey={({ id }) => id}
          rowHref={({ node }) => (mayRead ? `/nodes/${node}` : undefined)}
          stale={list.isPlaceholderData}
        />
      )}
      <ListPager list={list} noun="hosts" />
      {tasks.some(({ outcome }) => outcome !== null) && (
        <p className={styles.quiet}>
          Hosts sign how a change ended. This page shows what the server says;{" "}
          <code>gatehouse plan show {plan.id}</code> checks the signatures on your own computer.
        </p>
      )}
    </Section>
  );
}

export function readTaskState(search: Readonly<Record<string, unknown>>): TaskState | undefined {
  return taskStates.find((state) => state === search["task"]);
}

/** Read out when it changes: how many have answered, and what. */
function Answered({ tasks, isWhole }: { readonly tasks: readonly PlanTask[]; readonly isWhole: boolean }) {
  const ended = tasks.filter(({ state }) => isTaskEnd(state)).length;
  const of = `${tasks.length.toLocaleString("en-GB")}${isWhole ? "" : " read so far"}`;
  return (
    <span role="status">
      {tasks.length > 0 && `${ended.toLocaleString("en-GB")} of ${of} answered: ${countTasks(tasks)}`}
    </span>
  );
}

/** The loudest that a host can say: first on the page, whatever else it holds. */
function FailedAfterChange({ tasks }: { readonly tasks: readonly PlanTask[] }) {
  const failed = tasks.filter(({ state }) => state === "failed_after_change");
  const down = failed.filter(isServiceDown);
  return (
    <>
      <HalfChanged hosts={failed.filter((task) => !isServiceDown(task))} />
      {down.length > 0 && (
        <Banner state="bad" live title={lookAt(down)}>
          A service that ran there is down; everything else was put back. Below is the last that it said.
        </Banner>
      )}
    </>
  );
}

function HalfChanged({ hosts }: { readonly hosts: readonly PlanTask[] }) {
  if (hosts.length === 0) return null;
  return (
    <Banner state="bad" live title={lookAt(hosts)}>
      {hosts.length === 1 ? "It was" : "They were"} changed, and what was there could not wholly be put back. On the
      host <code>gatehouse-agent status</code> says what is wrong, and <code>gatehouse-agent rollback</code> tries
      again.
    </Banner>
  );
}

const mostNamed = 3;

function lookAt(hosts: readonly PlanTask[]): string {
  const named = hosts.slice(0, mostNamed).map(({ name }) => name);
  const more = hosts.length > mostNamed ? ` and ${(hosts.length - mostNamed).toLocaleString("en-GB")} more` : "";
  return `Look at ${named.join(", ")}${more} now.`;
}

function columnsOf(approvals: Plan["approvals"]): readonly Column<PlanTask>[] {
  const windows = new Map(approvals.map(({ id, rollbackWindow }) => [id, rollbackWindow]));
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
    { key: "state", head: "State", least: 140, cell: (task) => <StateMark {...sayTask(task)} loud={isLoud(task)} /> },
    {
      key: "why",
      head: "Why",
      least: 220,
      width: "wide",
      cell: (task) => <Why task={task} window={windows.get(task.approval ?? "")} />,
    },
    { key: "at", head: "Since", least: 90, align: "end", phone: "time", cell: (task) => <Time at={sinceOf(task)} /> },
  ];
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
  return (
    <div className={cx(styles.why, isBad && cx(styles.refuse, styles.loud))}>
      {steps !== undefined && <StepTrack steps={steps} />}
      {isBad && after !== undefined && <strong>{after}</strong>}
      <p>
        {whyTask(task)} {code !== null && <code className={styles.hash}>{code}</code>}
      </p>
      {!isBad && after !== undefined && <p>{after}</p>}
      {window !== undefined && isArmed(task) && (
        <p className={styles.quiet}>Taken back by itself {window} s after it was armed, unless confirmed.</p>
      )}
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

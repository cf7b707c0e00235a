import { type TaskState, taskStates } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMay } from "../../api/auth.ts";
import { planTaskPages } from "../../api/plans.ts";
import { Section } from "../../ui/Section.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import styles from "./PlanPage.module.css";
import { countTasks, isTaskEnd, sayTask, todoOf, whyTask } from "./task-words.ts";

export interface TaskListProps {
  readonly plan: Pick<Plan, "id" | "nodes" | "state">;
}

/** What became of the plan on each host, as the hosts say it. `?task=` shows those in one state. */
export function TaskList({ plan }: TaskListProps) {
  const mayRead = useMay("node:read");
  const state = readTaskState(useSearch({ strict: false }));
  const list = useInfiniteQuery({ ...planTaskPages(plan.id, state), placeholderData: keepPreviousData });
  const tasks = list.data?.pages.flatMap(({ items }) => items) ?? [];
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

const columns: readonly Column<PlanTask>[] = [
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
  { key: "state", head: "State", least: 140, cell: (task) => <StateMark {...sayTask(task)} /> },
  { key: "why", head: "Why", least: 220, width: "wide", cell: (task) => <Why task={task} /> },
  { key: "at", head: "Since", least: 90, align: "end", phone: "time", cell: ({ stateAt }) => <Time at={stateAt} /> },
];

function Why({ task }: { readonly task: PlanTask }) {
  const { code, detail } = task;
  const todo = todoOf(task);
  return (
    <div className={styles.why}>
      <p>
        {whyTask(task)} {code !== null && <code className={styles.hash}>{code}</code>}
      </p>
      {detail !== null && <p className={styles.quiet}>{detail}</p>}
      {todo !== undefined && <p className={styles.quiet}>{todo}</p>}
    </div>
  );
}

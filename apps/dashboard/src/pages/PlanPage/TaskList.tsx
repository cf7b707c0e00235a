import { type TaskState, taskStates } from "@gatehouse/contract";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { planTaskPages, planWavesQuery } from "../../api/plans.ts";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { useClock } from "../../ui/use-clock.ts";
import { usePhone } from "../../ui/use-phone.ts";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { isLateTask, windowsOf } from "../../widgets/Plans/restore-clock.ts";
import { countTasks, isNotable, isTaskEnd, sayTask } from "../../widgets/Plans/task-words.ts";
import { hostsOfCell } from "../../widgets/Plans/wave-words.ts";
import { FailedAfterChange } from "./FailedAfterChange.tsx";
import styles from "./PlanPage.module.css";
import { TaskTable } from "./TaskTable.tsx";
import { WaveCells } from "./WaveCells.tsx";
import { Waves } from "./Waves.tsx";

export interface TaskListProps {
  readonly plan: Pick<Plan, "id" | "nodes" | "state" | "approvals" | "waves">;
}

/** Of more hosts a table of all of them says less than a picture of them, and a table of those that are not quiet. */
const mostRows = 50;

/** `all`: every host as a row of one table. */
export type TaskView = TaskState | "all" | undefined;

export function readTaskView(search: Readonly<Record<string, unknown>>): TaskView {
  const { task } = search;
  return task === "all" ? task : taskStates.find((state) => state === task);
}

/** What became of the plan on each host, as the hosts say it, in its waves. `?task=` shows those in one state, or all in one table. */
export function TaskList({ plan }: TaskListProps) {
  const view = readTaskView(useSearch({ strict: false }));
  if (view === undefined && plan.nodes > mostRows) return <LargeRun plan={plan} />;
  return <SmallRun plan={plan} view={view} />;
}

/** Each host is a row, behind the wall of its wave where there are several. */
function SmallRun({ plan, view }: TaskListProps & { readonly view: TaskView }) {
  const isPhone = usePhone();
  const state = view === "all" ? undefined : view;
  const list = useInfiniteQuery({ ...planTaskPages(plan.id, { state }), placeholderData: keepPreviousData });
  const isInWaves = view === undefined && (plan.waves ?? 1) > 1;
  const waves = useQuery({ ...planWavesQuery(plan.id), enabled: isInWaves });
  const tasks = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const table = (label: string, rows: readonly PlanTask[], hideHead = false) =>
    rows.length > 0 && (
      <TaskTable label={label} tasks={rows} plan={plan} stale={list.isPlaceholderData} hideHead={hideHead} />
    );
  return (
    <Section
      title={state === undefined ? "What became of it" : `What became of it: ${sayTask({ state, code: null }).word}`}
      aside={<Answered tasks={tasks} isWhole={!list.hasNextPage && state === undefined} />}
      more={view === undefined ? undefined : { href: `/plans/${plan.id}`, label: state ? "All hosts" : "In waves" }}
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
      {isInWaves && waves.data !== undefined && tasks.length > 0 ? (
        <Waves waves={waves.data.items} plan={plan.state}>
          {({ index }) => {
            const all = tasks.filter(({ wave }) => wave === index);
            // On a phone the line of a wave says enough of those that are quiet.
            return table(
              `Hosts of wave ${index + 1}`,
              isPhone ? all.filter((task) => isNotable(task)) : all,
              index > 0,
            );
          }}
        </Waves>
      ) : (
        table("What became of it on each host", tasks)
      )}
      <ListPager list={list} noun="hosts" />
      {tasks.some(({ outcome }) => outcome !== null) && <Signed plan={plan.id} />}
    </Section>
  );
}

/** A picture of all hosts, and a table of those that somebody may have to look at. */
function LargeRun({ plan }: TaskListProps) {
  const waves = useQuery(planWavesQuery(plan.id));
  const list = useInfiniteQuery({ ...planTaskPages(plan.id, { notable: "yes" }), placeholderData: keepPreviousData });
  const now = useClock();
  const windows = windowsOf(plan.approvals);
  const read = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const late = read.filter((task) => isLateTask(task, windows, now));
  const tasks = [...late, ...read.filter(({ state }) => isTaskEnd(state))];
  const cell = hostsOfCell(plan.nodes);
  const each = cell === 1 ? "One cell is one host" : `One cell is ${cell} hosts, and shows the worst of them`;
  return (
    <>
      <Section title="What became of it" aside={each}>
        {waves.isPending && <Skeleton shape="list" count={6} label="Reading what became of it" />}
        {waves.isError && <ApiErrorView error={waves.error} title="The waves could not be read" size="inline" />}
        {waves.data !== undefined && (
          <Waves waves={waves.data.items} plan={plan.state}>
            {(wave, says) => <WaveCells wave={wave} hosts={cell} says={says} />}
          </Waves>
        )}
        <FailedAfterChange tasks={tasks} />
      </Section>
      <Section
        title="Not quiet"
        count={list.isSuccess && !list.hasNextPage ? tasks.length : undefined}
        more={{ href: `/plans/${plan.id}?task=all`, label: `All ${plan.nodes.toLocaleString("en-GB")} as a table` }}
      >
        {list.isPending && <Skeleton shape="rows" count={4} columns={4} label="Reading the hosts to look at" />}
        <ListError list={list} noun="answers of the hosts" />
        {list.isSuccess && tasks.length === 0 && (
          <p className={styles.empty}>
            Every host that was sent the plan has confirmed the change, or is under way in good time.
          </p>
        )}
        {tasks.length > 0 && (
          <TaskTable label="Hosts to look at" tasks={tasks} plan={plan} stale={list.isPlaceholderData} />
        )}
        <ListPager list={list} noun="hosts" />
        <Signed plan={plan.id} />
      </Section>
    </>
  );
}

function Signed({ plan }: { readonly plan: string }) {
  return (
    <p className={styles.quiet}>
      Hosts sign how a change ended. This page shows what the server says; <code>gatehouse plan show {plan}</code>{" "}
      checks the signatures on your own computer.
    </p>
  );
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

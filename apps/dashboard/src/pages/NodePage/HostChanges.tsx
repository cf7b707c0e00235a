import { useQuery } from "@tanstack/react-query";
import { auditQuery } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { newestPlansQuery } from "../../api/plans.ts";
import { List, ListItem } from "../../ui/List.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { sayTask } from "../../widgets/Plans/task-words.ts";
import { usePlanPeople } from "../../widgets/Plans/use-plan-people.ts";
import { WithIds } from "../../widgets/WithIds/WithIds.tsx";
import { hostPlans, sayHostPlan } from "../../widgets/Plans/host-plans.ts";
import styles from "./NodePage.module.css";

const most = 8;

/** What plans were for this host, and how each ended there: the newest first. For whoever reads the log. */
export function HostChanges({ id }: { readonly id: string }) {
  const nameOf = usePlanPeople();
  const mayPlans = useMay("plan:read");
  const audit = useQuery(auditQuery({ subject: `node/${id}`, action: "task.", limit: "100" }));
  const plans = useQuery({ ...newestPlansQuery(), enabled: mayPlans });
  const known = new Map(plans.data?.items.map((plan) => [plan.id, plan]));
  const tasks = audit.data && hostPlans(audit.data.items);
  const isPending = audit.isPending || (mayPlans && plans.isPending);
  const href = `/audit?subject=${encodeURIComponent(`node/${id}`)}&action=task.`;
  return (
    <Section
      title="What changed it"
      count={tasks?.length}
      more={tasks !== undefined && tasks.length > most ? { href, label: "All in the audit log" } : undefined}
    >
      {isPending && <Skeleton shape="list" count={2} label="Reading what changed it" />}
      {audit.isError && (
        <ApiErrorView
          error={audit.error}
          title={tasks === undefined ? "What changed it could not be read" : "This is not up to date"}
          size={tasks === undefined ? "block" : "inline"}
          onRetry={() => void audit.refetch()}
          retrying={audit.isFetching}
        />
      )}
      {tasks?.length === 0 && <p className={styles.empty}>Nothing has changed this host through Gatehouse yet.</p>}
      {!isPending && tasks !== undefined && tasks.length > 0 && (
        <List label="What changed it">
          {tasks.slice(0, most).map((task) => {
            const { state, word } = sayTask(task);
            const plan = known.get(task.plan);
            return (
              <ListItem
                key={task.plan}
                state={state}
                stateWord={word}
                title={plan?.title ?? `Plan ${task.plan}`}
                href={mayPlans ? `/plans/${task.plan}?node=${id}` : undefined}
                line={<WithIds text={sayHostPlan(task, plan, nameOf)} />}
                time={<Time at={task.at} />}
              />
            );
          })}
        </List>
      )}
    </Section>
  );
}

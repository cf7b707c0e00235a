import type { Plan } from "@gatehouse/contract/routes";
import { useMemo } from "react";
import { ShortText } from "../../ui/ShortText.tsx";
import { Mark, StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { findingWords, isOpenPlan, sayApprovals, sayPlanState } from "../../widgets/Plans/plan-state.ts";
import styles from "./PlansPage.module.css";

export interface PlanTableProps {
  readonly plans: readonly Plan[];
  readonly nameOf: (actor: string) => string;
  readonly isStale: boolean;
}

/** The newest first, as the server gives them. */
export function PlanTable({ plans, nameOf, isStale }: PlanTableProps) {
  const columns = useMemo(() => columnsOf(nameOf), [nameOf]);
  return (
    <Table
      label="Plans"
      columns={columns}
      rows={plans}
      rowKey={({ id }) => id}
      rowHref={({ id }) => `/plans/${id}`}
      stale={isStale}
    />
  );
}

const columnsOf = (nameOf: PlanTableProps["nameOf"]): readonly Column<Plan>[] => [
  {
    key: "title",
    head: "Plan",
    least: 240,
    width: "wide",
    cell: ({ title }) => <ShortText text={title} most={60} />,
  },
  { key: "state", head: "State", least: 120, cell: (plan) => <StateMark {...sayPlanState(plan)} /> },
  {
    key: "author",
    head: "Author",
    least: 110,
    drop: 2,
    phoneLabel: true,
    cell: (plan) => <Author plan={plan} nameOf={nameOf} />,
  },
  {
    key: "nodes",
    head: "Hosts",
    least: 60,
    drop: 1,
    cell: ({ nodes }) => nodes.toLocaleString("en-GB"),
    phone: "hidden",
  },
  {
    key: "findings",
    head: "Lint",
    least: 130,
    drop: 3,
    phoneLabel: true,
    cell: ({ findings }) => <Findings findings={findings} />,
  },
  {
    key: "approvals",
    head: "Approvals",
    least: 140,
    drop: 4,
    phoneLabel: true,
    cell: (plan) => <Approvals plan={plan} />,
  },
  {
    key: "expires",
    head: "Expires",
    least: 110,
    align: "end",
    phone: "time",
    cell: (plan) => (isOpenPlan(plan) ? <Time at={plan.expiresAt} /> : <Ended plan={plan} />),
  },
];

function Author({ plan, nameOf }: { readonly plan: Plan; readonly nameOf: PlanTableProps["nameOf"] }) {
  const { author, source } = plan;
  return (
    <span>
      <ShortText text={nameOf(author)} most={22} />
      {source.from === "plugin" && <span className={styles.quiet}> with {source.plugin}</span>}
    </span>
  );
}

function Findings({ findings }: Pick<Plan, "findings">) {
  const words = findingWords(findings);
  if (words === "") return <span className={styles.quiet}>clean</span>;
  return (
    <span className={styles.findings}>
      <Mark state={findings.refuse > 0 ? "bad" : "warn"} size={9} /> {words}
    </span>
  );
}

function Approvals({ plan }: { readonly plan: Plan }) {
  const { count, waits } = sayApprovals(plan);
  if (waits === "") return <span className={count === "none" ? styles.quiet : undefined}>{count}</span>;
  return (
    <span>
      {count}, <span className={styles.waits}>{waits}</span>
    </span>
  );
}

function Ended({ plan }: { readonly plan: Plan }) {
  return (
    <span className={styles.quiet}>
      ended <Time at={plan.stateAt} />
    </span>
  );
}

import type { Plan } from "@gatehouse/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { planSectionPages } from "../../api/plans.ts";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { groupAlike } from "../../widgets/PlanSections/alike-hosts.ts";
import { HostGroup } from "../../widgets/PlanSections/HostGroup.tsx";
import styles from "./PlanPage.module.css";

/** What changes, host by host; hosts on which the same happens are read once. `?node=` shows one alone. */
export function HostSections({ plan }: { readonly plan: Pick<Plan, "id" | "nodes"> }) {
  const node = readPickedNode(useSearch({ strict: false }));
  const list = useInfiniteQuery(planSectionPages(plan.id, node));
  const sections = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Section
      title={node === undefined ? "What changes" : "What changes on one host"}
      aside={node === undefined ? hostCount(plan.nodes) : undefined}
      more={node === undefined ? undefined : { href: `/plans/${plan.id}`, label: `All ${hostCount(plan.nodes)}` }}
    >
      {list.isPending && <Skeleton shape="list" count={6} label="Reading what changes" />}
      <ListError list={list} noun="hosts of the plan" />
      {list.isSuccess && sections.length === 0 && <p className={styles.empty}>The plan is not for that host.</p>}
      {groupAlike(sections).map((group) => (
        <HostGroup key={group.section.node} plan={plan.id} group={group} />
      ))}
      <ListPager list={list} noun="hosts" />
    </Section>
  );
}

export function readPickedNode(search: Readonly<Record<string, unknown>>): string | undefined {
  return typeof search["node"] === "string" ? search["node"] : undefined;
}

function hostCount(count: number): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
}

import { useInfiniteQuery } from "@tanstack/react-query";
import { isApiError } from "../../api/api-error.ts";
import { planSectionPages } from "../../api/plans.ts";
import { Button } from "../../ui/Button.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { groupAlike } from "../../widgets/PlanSections/alike-hosts.ts";
import { HostGroup } from "../../widgets/PlanSections/HostGroup.tsx";
import type { Composed, Source } from "./compose-wish.ts";
import { InWords } from "./InWords.tsx";
import styles from "./NewPlanPage.module.css";
import { Reachable } from "./Reachable.tsx";
import type { ComposedPlan } from "./use-composed-plan.ts";
import type { NetworkHosts } from "./wireguard-form.ts";

export interface ReadingProps {
  readonly typed: Composed;
  readonly source: Source;
  readonly composed: ComposedPlan;
  readonly hosts: NetworkHosts;
  readonly onSkipAway: () => void;
  readonly onLeaveOut: (ids: readonly string[]) => void;
}

/** What was written, in words; once the hosts were read, beside what is there now. */
export function Reading({ typed, source, composed, hosts, ...leaving }: ReadingProps) {
  const count = hosts.asked.length;
  const { plan, isStale, isReading, readError, offerError } = composed;
  const isFresh = plan !== undefined && !isStale;
  return (
    <>
      {readError !== null && !isReading && <ReadFault error={readError} {...leaving} />}
      {offerError !== null && <ApiErrorView error={offerError} title="It was not submitted" size="inline" />}
      {isReading && (
        <Section title="What changes" aside={`Reading ${hostCount(count)}`}>
          <Skeleton shape="list" count={5} label={`Reading ${hostCount(count)}`} />
        </Section>
      )}
      {!isReading && isFresh && <Difference id={plan.id} kinds={plan.kinds} />}
      {!isReading && !isFresh && (
        <InWords
          typed={typed}
          source={source}
          hosts={hosts}
          aside={
            plan === undefined ? (
              "The difference stands here once the hosts are read"
            ) : (
              <>
                Changed since the hosts were read <Time at={plan.createdAt} absolute />
              </>
            )
          }
        />
      )}
    </>
  );
}

interface ReadFaultProps extends Pick<ReadingProps, "onSkipAway" | "onLeaveOut"> {
  readonly error: Error;
}

/** Whoever is named in a refusal can be left out; the hosts are then read again. */
function ReadFault({ error, onSkipAway, onLeaveOut }: ReadFaultProps) {
  const named =
    isApiError(error) && Array.isArray(error.fields["nodes"]) ? (error.fields["nodes"] as { node: string }[]) : [];
  const isAway = isApiError(error, "plan.node_offline");
  return (
    <div className={styles.refused}>
      <ApiErrorView error={error} title="No plan was made" size="inline" />
      {named.length > 0 && (
        <Button size="small" onClick={isAway ? onSkipAway : () => onLeaveOut(named.map(({ node }) => node))}>
          Leave {named.length === 1 ? "it" : "them"} out
        </Button>
      )}
    </div>
  );
}

function Difference({ id, kinds }: { readonly id: string; readonly kinds: readonly string[] }) {
  const list = useInfiniteQuery(planSectionPages(id));
  const sections = list.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <>
      {kinds.includes("firewall.apply") && sections.length > 0 && (
        <Reachable sections={sections} isPartly={list.hasNextPage} />
      )}
      <Section
        title="What changes"
        aside="Against what is there now"
        more={{ href: `/plans/${id}`, label: "The plan" }}
      >
        {list.isPending && <Skeleton shape="list" count={5} label="Reading what changes" />}
        <ListError list={list} noun="hosts of the plan" />
        {groupAlike(sections).map((group) => (
          <HostGroup key={group.section.node} plan={id} group={group} />
        ))}
        <ListPager list={list} noun="hosts" />
      </Section>
    </>
  );
}

function hostCount(count: number): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
}

import type { Plan } from "@gatehouse/contract/routes";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useMay } from "../../api/auth.ts";
import { planSectionPages } from "../../api/plans.ts";
import { Link } from "../../ui/Link.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { sayAccepts } from "../../widgets/Plans/accepts-words.ts";
import { ListError } from "../../widgets/ListPager/ListError.tsx";
import { ListPager } from "../../widgets/ListPager/ListPager.tsx";
import { type AlikeHosts, groupAlike } from "./alike-hosts.ts";
import { OperationView } from "./OperationView.tsx";
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

interface HostGroupProps {
  readonly plan: string;
  readonly group: AlikeHosts;
}

function HostGroup({ plan, group: { hosts, section } }: HostGroupProps) {
  const isAlone = hosts.length === 1;
  return (
    <article className={styles.host} aria-label={isAlone ? section.name : `${hosts.length} hosts alike`}>
      <header className={styles.hostHead}>
        {isAlone ? <OneHost host={section} /> : <ManyHosts plan={plan} hosts={hosts} />}
        <span className={styles.quiet}>
          {isAlone ? "takes" : "each takes"}: {sayAccepts(section.accepts)}
          {section.statesAt !== null && (
            <>
              ; {isAlone ? "the host" : "the first"} said what it is like <Time at={section.statesAt} />
            </>
          )}
        </span>
      </header>
      {section.operations.map((operation, at) => (
        <OperationView
          key={`${at} ${operation.kind}`}
          host={section.name}
          operation={operation}
          findings={section.findings.filter((finding) => finding.operation === at)}
        />
      ))}
      {isAlone && section.preconditions.length > 0 && (
        <details className={styles.from}>
          <summary>Holds only for these parts as they were</summary>
          <ul>
            {section.preconditions.map(({ subject, state }) => (
              <li key={subject}>
                <code>{subject}</code> <code className={styles.hash}>{state}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </article>
  );
}

function OneHost({ host: { node, name } }: { readonly host: AlikeHosts["hosts"][number] }) {
  const mayRead = useMay("node:read");
  return (
    <h3>
      {mayRead ? (
        <Link href={`/nodes/${node}`} look="quiet">
          <code>{name}</code>
        </Link>
      ) : (
        <code>{name}</code>
      )}
    </h3>
  );
}

/** Names beyond these are a press away. */
const mostNames = 8;

function ManyHosts({ plan, hosts }: { readonly plan: string; readonly hosts: AlikeHosts["hosts"] }) {
  const rest = hosts.slice(mostNames);
  return (
    <>
      <h3>{hosts.length.toLocaleString("en-GB")} hosts alike</h3>
      <div className={styles.names}>
        <Names plan={plan} hosts={hosts.slice(0, mostNames)} />
        {rest.length > 0 && (
          <details>
            <summary>and {rest.length.toLocaleString("en-GB")} more</summary>
            <Names plan={plan} hosts={rest} />
          </details>
        )}
      </div>
    </>
  );
}

function Names({ plan, hosts }: { readonly plan: string; readonly hosts: AlikeHosts["hosts"] }) {
  return (
    <>
      {hosts.map(({ node, name }) => (
        <Link key={node} href={`/plans/${plan}?node=${node}`} look="quiet">
          <code>{name}</code>
        </Link>
      ))}
    </>
  );
}

function hostCount(count: number): string {
  return `${count.toLocaleString("en-GB")} ${count === 1 ? "host" : "hosts"}`;
}

import { useMay } from "../../api/auth.ts";
import { Link } from "../../ui/Link.tsx";
import { Time } from "../../ui/Time.tsx";
import { sayAccepts } from "../Plans/accepts-words.ts";
import type { AlikeHosts } from "./alike-hosts.ts";
import { OperationView } from "./OperationView.tsx";
import styles from "./PlanSections.module.css";

export interface HostGroupProps {
  readonly plan: string;
  readonly group: AlikeHosts;
}

/** Hosts on which a plan does the same: what changes there, beside what is there now. */
export function HostGroup({ plan, group: { hosts, section } }: HostGroupProps) {
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

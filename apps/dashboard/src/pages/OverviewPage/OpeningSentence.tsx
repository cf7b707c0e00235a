import { Fragment, type ReactNode } from "react";
import type { AuditCheck } from "../../api/audit.ts";
import type { Overview, OverviewList } from "../../api/overview.ts";
import { Link } from "../../ui/Link.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { hrefOf, listHref } from "./overview-places.ts";
import styles from "./OverviewPage.module.css";

export interface OpeningSentenceProps {
  readonly overview: Overview | undefined;
  readonly loading: boolean;
  readonly check: AuditCheck | undefined;
}

/** The state of the house in words. Every number in it leads to what it counts. */
export function OpeningSentence({ overview, loading, check }: OpeningSentenceProps) {
  if (loading) {
    return (
      <div className={styles.opening}>
        <h1 className={styles.still}>Overview</h1>
        <Skeleton shape="title" label="Reading the state" />
      </div>
    );
  }
  return (
    <div className={styles.opening}>
      <h1>
        <span className={styles.line}>
          {overview === undefined ? "The state could not be read." : troubles(overview)}
        </span>{" "}
        <span className={styles.line}>
          {overview !== undefined && decisions(overview)} <span className={styles.calm}>{rest(overview, check)}</span>
        </span>
      </h1>
    </div>
  );
}

function troubles({ broken, unseen }: Overview): ReactNode {
  if (broken.counts.length > 0) return <>{said(broken)}.</>;
  return unseen.length === 0 ? "Nothing is broken." : "Nothing that you may see is broken.";
}

function decisions({ waiting }: Overview): ReactNode {
  return waiting.counts.length > 0 ? <>{said(waiting)}.</> : "Nothing waits for you.";
}

function rest(overview: Overview | undefined, check: AuditCheck | undefined): ReactNode {
  // Links that fit count for nothing while a host says that it saw another log.
  const isDisbelieved = overview?.broken.counts.some(({ kind }) => kind === "witness") === true;
  const whole = check?.state === "ok" && !isDisbelieved ? check.verified : null;
  const hidden = overview?.unseen.includes("plugin") === true;
  return (
    <>
      {hidden && overview.unseen.includes("chain")
        ? "You see no plugins and no audit log: your role holds neither plugin:admin nor audit:read. "
        : hidden && "Plugins are not shown: that needs plugin:admin. "}
      {whole !== null && (
        <>
          The audit chain is whole to <Count href="/audit">{`#${whole.position.toLocaleString("en-GB")}`}</Count>,
          verified <Time at={whole.at} />.
        </>
      )}
    </>
  );
}

/** What there is of each kind; one of the server's own says it itself. */
function said({ items, counts }: OverviewList): ReactNode {
  return counts.map(({ kind, count, says }, at) => {
    const one = count === 1 ? items.find((item) => item.kind === kind) : undefined;
    const words = one?.subject.type === "server" ? one.title : says;
    const href = one === undefined ? listHref(kind) : hrefOf(one);
    const text = at === 0 ? words : `${words.charAt(0).toLowerCase()}${words.slice(1)}`;
    return (
      <Fragment key={kind}>
        {at > 0 && ", "}
        {href === undefined ? text : <Count href={href}>{text}</Count>}
      </Fragment>
    );
  });
}

function Count({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} look="count">
      {children}
    </Link>
  );
}

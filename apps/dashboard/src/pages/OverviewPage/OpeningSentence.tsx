import { Fragment, type ReactNode } from "react";
import type { AuditCheck } from "../../api/audit.ts";
import { Link } from "../../ui/Link.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { Time } from "../../ui/Time.tsx";
import { approvalsHref, plansHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./OverviewPage.module.css";

export interface OpeningSentenceProps {
  readonly mayPlugins: boolean;
  readonly mayAudit: boolean;
  readonly loading: boolean;
  readonly failed: boolean;
  /** Names and ids, so that a single one can be led to. */
  readonly rejected: readonly string[];
  readonly failing: readonly string[];
  /** Ids of hosts. */
  readonly offline: readonly string[];
  /** Ids of plans that ended badly on a host. */
  readonly badly: readonly string[];
  readonly waiting: readonly string[];
  /** Ids of plans that wait for the reader; undefined for whoever approves none. */
  readonly plans: readonly string[] | undefined;
  readonly active: number;
  readonly check: AuditCheck | undefined;
  /** How many hosts say that this is not the log that they saw. */
  readonly disbelieving: number;
}

/** The state of the house in words. Every number in it leads to what it counts. */
export function OpeningSentence(props: OpeningSentenceProps) {
  if (props.loading) {
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
        <span className={styles.line}>{troubles(props)}</span>{" "}
        <span className={styles.line}>
          {decisions(props)} {rest(props)}
        </span>
      </h1>
    </div>
  );
}

function troubles({
  mayPlugins,
  failed,
  failing,
  offline,
  rejected,
  badly,
  check,
  disbelieving,
}: OpeningSentenceProps): ReactNode {
  const parts: ReactNode[] = [];
  if (disbelieving > 0) {
    parts.push(<Count href="/audit">{`The audit log is not the one ${words(disbelieving, "host")} saw`}</Count>);
  }
  if (check?.state === "failed") {
    parts.push(
      <Link href="/audit" look="count">
        The audit log is not as it was written from #{check.broken?.position.toLocaleString("en-GB") ?? "?"} on
      </Link>,
    );
  }
  if (badly.length > 0) {
    const href = badly.length === 1 ? `/plans/${badly[0]}` : plansHref("done");
    parts.push(<Count href={href}>{`${words(badly.length, "plan")} ended badly`}</Count>);
  }
  if (offline.length > 0) {
    const href = offline.length === 1 ? `/nodes/${offline[0]}` : "/nodes?state=offline";
    parts.push(
      <Count href={href}>{`${words(offline.length, "host")} ${offline.length === 1 ? "is" : "are"} offline`}</Count>,
    );
  }
  if (failing.length > 0) {
    const href = failing.length === 1 ? `/plugins/${failing[0]}` : "/plugins?state=failing";
    parts.push(
      <Count href={href}>{`${words(failing.length, "plugin")} ${failing.length === 1 ? "fails" : "fail"}`}</Count>,
    );
  }
  if (rejected.length > 0) {
    const verb = rejected.length === 1 ? "was" : "were";
    parts.push(<Count href="/plugins?state=rejected">{`${words(rejected.length, "bundle")} ${verb} rejected`}</Count>);
  }
  if (failed) parts.push("The state of the plugins could not be read");
  if (parts.length > 0) return <>{joined(parts)}.</>;
  return mayPlugins ? "Nothing is broken." : "";
}

function decisions({ mayPlugins, failed, waiting, plans }: OpeningSentenceProps): ReactNode {
  const parts: ReactNode[] = [];
  if (plans !== undefined && plans.length > 0) {
    const href = plans.length === 1 ? `/plans/${plans[0]}` : approvalsHref;
    parts.push(<Count href={href}>{waits(plans.length, "plan")}</Count>);
  }
  if (waiting.length > 0) {
    const href = waiting.length === 1 ? `/plugins/${waiting[0]}` : "/plugins?state=waiting";
    parts.push(<Count href={href}>{waits(waiting.length, "decision")}</Count>);
  }
  if (parts.length > 0) return <>{joined(parts)}.</>;
  return failed || (!mayPlugins && plans === undefined) ? "" : "Nothing waits for you.";
}

function waits(count: number, noun: string): string {
  return `${words(count, noun)} ${count === 1 ? "waits" : "wait"} for you`;
}

function rest({ mayPlugins, mayAudit, active, check, failed, disbelieving }: OpeningSentenceProps): ReactNode {
  if (!mayPlugins && !mayAudit) {
    return "You see no plugins and no audit log: your role holds neither plugin:admin nor audit:read.";
  }
  const whole = check?.state === "ok" && disbelieving === 0 ? check.verified : null;
  return (
    <span className={styles.calm}>
      {!mayPlugins && "Plugins are not shown: that needs plugin:admin. "}
      {mayPlugins && !failed && (
        <>
          <Count href="/plugins?state=active">{`${words(active, "plugin")} ${active === 1 ? "runs" : "run"} well`}</Count>
          {whole === null ? "." : ", "}
        </>
      )}
      {whole !== null && (
        <>
          {mayPlugins && !failed ? "the" : "The"} audit chain is whole to{" "}
          <Count href="/audit">{`#${whole.position.toLocaleString("en-GB")}`}</Count>, verified <Time at={whole.at} />.
        </>
      )}
    </span>
  );
}

function Count({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} look="count">
      {children}
    </Link>
  );
}

function joined(parts: readonly ReactNode[]): ReactNode {
  return parts.map((part, at) => (
    <Fragment key={at}>
      {at > 0 && ", "}
      {part}
    </Fragment>
  ));
}

function words(count: number, noun: string): string {
  return `${count.toLocaleString("en-GB")} ${noun}${count === 1 ? "" : "s"}`;
}

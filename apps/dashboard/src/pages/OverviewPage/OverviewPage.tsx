import { useQuery } from "@tanstack/react-query";
import { auditCheckQuery, auditQuery, overviewEntries } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { newestPlansQuery, waitingPlansQuery } from "../../api/plans.ts";
import { disbeliefQuery } from "../../api/witnesses.ts";
import { findDisbelief } from "../../widgets/disbelief.ts";
import { approvalsHref } from "../../widgets/Plans/plans-href.ts";
import { usePlugins } from "../../widgets/PluginSummary/use-plugins.ts";
import { AboutToChange } from "./AboutToChange.tsx";
import { Findings } from "./Findings.tsx";
import {
  brokenOf,
  endedBadly,
  filterPlugins,
  linksOf,
  offlineOf,
  otherLog,
  waitingOf,
  waitingPlans,
} from "./findings.ts";
import { FleetStrip } from "./FleetStrip.tsx";
import { OpenToYou } from "./OpenToYou.tsx";
import { OpeningSentence } from "./OpeningSentence.tsx";
import styles from "./OverviewPage.module.css";
import { WhoChangedWhat } from "./WhoChangedWhat.tsx";

/** What is broken, what waits for me, what is about to change, who changed what. */
export function OverviewPage() {
  const mayPlugins = useMay("plugin:admin");
  const mayAudit = useMay("audit:read");
  const mayNodes = useMay("node:read");
  const mayPlans = useMay("plan:read");
  const mayApprove = useMay("plan:approve");
  const mayEnrol = useMay("node:admin");
  const plugins = usePlugins(mayPlugins);
  const nodes = useQuery({ ...nodesQuery, enabled: mayNodes });
  const audit = useQuery({ ...auditQuery(overviewEntries), enabled: mayAudit });
  const check = useQuery({ ...auditCheckQuery, enabled: mayAudit });
  const refusing = useQuery({ ...disbeliefQuery, enabled: mayAudit });
  const asked = useQuery({ ...waitingPlansQuery, enabled: mayApprove });
  const ended = useQuery({ ...newestPlansQuery("done"), enabled: mayPlans });

  const endedPlans = ended.data?.items ?? [];
  const disbelief = findDisbelief(refusing.data);
  const broken = plugins.data && [
    ...otherLog(disbelief),
    ...brokenOf(plugins.data, check.data, nodes.data ?? [], endedPlans),
  ];
  const plans = waitingPlans(asked.data?.items ?? []);
  const decisions = waitingOf(plugins.data?.items ?? []);
  const isRead = (!mayApprove || asked.data !== undefined) && (!mayPlugins || plugins.data !== undefined);
  return (
    <>
      <OpeningSentence
        mayPlugins={mayPlugins}
        mayAudit={mayAudit}
        loading={
          (mayPlugins && plugins.isPending) ||
          (mayNodes && nodes.isPending) ||
          (mayApprove && asked.isPending) ||
          (mayAudit && refusing.isPending)
        }
        badly={endedPlans.filter((plan) => endedBadly(plan).length > 0).map(({ id }) => id)}
        failed={plugins.isError && plugins.data === undefined}
        rejected={plugins.data?.rejections.map(({ name }) => name) ?? []}
        offline={offlineOf(nodes.data ?? []).map(({ id }) => id)}
        failing={filterPlugins(plugins.data?.items ?? [], "failing").map(({ id }) => id)}
        waiting={decisions.map(({ key }) => key)}
        plans={mayApprove ? plans.map(({ key }) => key) : undefined}
        active={filterPlugins(plugins.data?.items ?? [], "active").length}
        check={check.data}
        disbelieving={disbelief?.hosts.length ?? 0}
      />
      {mayNodes && <FleetStrip nodes={nodes} mayEnrol={mayEnrol} />}
      <div className={styles.grid}>
        {mayPlugins && (
          <Findings
            title="Broken"
            findings={broken}
            query={plugins}
            more={linksOf(broken ?? [])}
            none="Nothing: no host is offline, no change ended badly, no plugin fails, and no bundle was rejected at the last start."
          />
        )}
        {(mayPlugins || mayApprove) && (
          <Findings
            title="Waiting for you"
            findings={isRead ? [...plans, ...decisions] : undefined}
            query={mayPlugins && !asked.isError ? plugins : asked}
            more={[
              ...(plans.length > 0 ? [{ href: approvalsHref, label: "Approvals" }] : []),
              ...(decisions.length > 0 ? [{ href: "/plugins?state=waiting", label: "Plugins that wait" }] : []),
            ]}
            none="Nothing waits: every verified bundle and every plan was decided on."
          />
        )}
        {!mayPlugins && <OpenToYou />}
        {mayPlans && <AboutToChange />}
        {mayAudit && <WhoChangedWhat audit={audit} check={check} isDisbelieved={disbelief !== undefined} />}
      </div>
    </>
  );
}

import { useQuery } from "@tanstack/react-query";
import { auditCheckQuery, auditQuery, overviewEntries } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { usePlugins } from "../../widgets/PluginSummary/use-plugins.ts";
import { AboutToChange } from "./AboutToChange.tsx";
import { Findings } from "./Findings.tsx";
import { brokenOf, filterPlugins, offlineOf, waitingOf } from "./findings.ts";
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
  const mayEnrol = useMay("node:admin");
  const plugins = usePlugins(mayPlugins);
  const nodes = useQuery({ ...nodesQuery, enabled: mayNodes });
  const audit = useQuery({ ...auditQuery(overviewEntries), enabled: mayAudit });
  const check = useQuery({ ...auditCheckQuery, enabled: mayAudit });

  const broken = plugins.data && brokenOf(plugins.data, check.data, nodes.data ?? []);
  const waiting = plugins.data && waitingOf(plugins.data.items);
  return (
    <>
      <OpeningSentence
        mayPlugins={mayPlugins}
        mayAudit={mayAudit}
        loading={(mayPlugins && plugins.isPending) || (mayNodes && nodes.isPending)}
        failed={plugins.isError && plugins.data === undefined}
        rejected={plugins.data?.rejections.map(({ name }) => name) ?? []}
        offline={offlineOf(nodes.data ?? []).map(({ id }) => id)}
        failing={filterPlugins(plugins.data?.items ?? [], "failing").map(({ id }) => id)}
        waiting={waiting?.map(({ key }) => key) ?? []}
        active={filterPlugins(plugins.data?.items ?? [], "active").length}
        check={check.data}
      />
      {mayNodes && <FleetStrip nodes={nodes} mayEnrol={mayEnrol} />}
      <div className={styles.grid}>
        {mayPlugins && (
          <Findings
            title="Broken"
            findings={broken}
            query={plugins}
            more={{ href: "/plugins", label: "All plugins" }}
            none="Nothing: no host is offline, no plugin fails, and no bundle was rejected at the last start."
          />
        )}
        {mayPlugins && (
          <Findings
            title="Waiting for you"
            findings={waiting}
            query={plugins}
            more={{ href: "/plugins?state=waiting", label: "All of these" }}
            none="Nothing waits: every verified bundle was decided on."
          />
        )}
        {!mayPlugins && <OpenToYou />}
        {mayPlans && <AboutToChange />}
        {mayAudit && <WhoChangedWhat audit={audit} check={check} />}
      </div>
    </>
  );
}

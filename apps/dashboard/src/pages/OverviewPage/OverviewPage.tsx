import { useQuery } from "@tanstack/react-query";
import { auditCheckQuery, auditQuery, overviewEntries } from "../../api/audit.ts";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { overviewQuery } from "../../api/overview.ts";
import { FleetStrip } from "./FleetStrip.tsx";
import { OpenToYou } from "./OpenToYou.tsx";
import { OpeningSentence } from "./OpeningSentence.tsx";
import styles from "./OverviewPage.module.css";
import { OverviewRows } from "./OverviewRows.tsx";
import { WhoChangedWhat } from "./WhoChangedWhat.tsx";

/** What is broken, what waits for me, what is about to change, who changed what. */
export function OverviewPage() {
  const mayPlugins = useMay("plugin:admin");
  const mayAudit = useMay("audit:read");
  const mayNodes = useMay("node:read");
  const mayEnrol = useMay("node:admin");
  const overview = useQuery(overviewQuery);
  const nodes = useQuery({ ...nodesQuery, enabled: mayNodes });
  const audit = useQuery({ ...auditQuery(overviewEntries), enabled: mayAudit });
  const check = useQuery({ ...auditCheckQuery, enabled: mayAudit });
  const isDisbelieved = overview.data?.broken.counts.some(({ kind }) => kind === "witness") === true;
  const isPartial = overview.data !== undefined && overview.data.unseen.length > 0;
  return (
    <>
      <OpeningSentence overview={overview.data} loading={overview.isPending} check={check.data} />
      {mayNodes && <FleetStrip nodes={nodes} mayEnrol={mayEnrol} />}
      <div className={styles.grid}>
        <OverviewRows
          title="Broken"
          area="broken"
          query={overview}
          none={
            isPartial
              ? "Nothing of what your role may see."
              : "Nothing: the audit log is whole, no host is offline, no change ended badly, no plugin fails."
          }
        />
        <OverviewRows
          title="Waiting for you"
          area="waiting"
          query={overview}
          none="Nothing waits: what you may decide on was decided."
        />
        {!mayPlugins && <OpenToYou />}
        <OverviewRows
          title="About to change"
          area="changing"
          query={overview}
          none="Nothing: no plan is on its way to a host, and nothing ends soon."
        />
        {mayAudit && <WhoChangedWhat audit={audit} check={check} isDisbelieved={isDisbelieved} />}
      </div>
    </>
  );
}

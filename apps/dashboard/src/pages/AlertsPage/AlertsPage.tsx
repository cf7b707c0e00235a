import type { Node } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { alertRulesQuery, alertSilencesQuery, alertsQuery } from "../../api/alerts.ts";
import { useMay } from "../../api/auth.ts";
import { nodesQuery } from "../../api/nodes.ts";
import { Button } from "../../ui/Button.tsx";
import { Dialog } from "../../ui/Dialog.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { AcknowledgeDialog } from "../../widgets/Alerts/AcknowledgeDialog.tsx";
import { usePlanPeople } from "../../widgets/Plans/use-plan-people.ts";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { readAlertFilter, sayOpen } from "./alert-filter.ts";
import styles from "./AlertsPage.module.css";
import { type Opened, readOpened, readView, type View, viewHref } from "./alerts-address.ts";
import { NewRuleSheet } from "./NewRuleSheet.tsx";
import { OpenList } from "./OpenList.tsx";
import { RuleSheet } from "./RuleSheet.tsx";
import { RuleTable } from "./RuleTable.tsx";
import { saySilence } from "./say-rule.ts";
import { SilenceList } from "./SilenceList.tsx";
import { SilenceSheet } from "./SilenceSheet.tsx";

const nobody: readonly Node[] = [];
const viewLinks = [
  { key: "open", label: "Open" },
  { key: "silences", label: "Silences" },
  { key: "rules", label: "Rules" },
] as const satisfies readonly { readonly key: View; readonly label: string }[];
const inPlace: Step = { replace: true, state: {} };

/** What has crossed a line, of what nobody is told for a time, and the rules. */
export function AlertsPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const mayAct = useMay("node:admin");
  const alerts = useQuery(alertsQuery());
  const rules = useQuery(alertRulesQuery);
  const silences = useQuery(alertSilencesQuery);
  const nodes = useQuery(nodesQuery).data ?? nobody;
  const nameOf = usePlanPeople();
  const nodeNames = useMemo(() => new Map(nodes.map(({ id, name }) => [id, name])), [nodes]);
  const ruleNames = useMemo(() => new Map(rules.data?.items.map(({ id, name }) => [id, name])), [rules.data]);
  const view = readView(search);
  const filter = readAlertFilter(search);
  const opened = mayAct ? readOpened(search) : undefined;
  const sheet = useSheetSteps(opened !== undefined);
  const show = (next: { opened?: Opened | undefined; filter?: typeof filter }, step: Step = inPlace): void => {
    const said = {
      ...(view !== "open" && { view }),
      ...(next.filter ?? filter),
      ...(next.opened !== undefined && { [next.opened.act]: next.opened.id }),
    };
    void navigate({ to: "/alerts", search: said, ...step, resetScroll: false });
  };
  const open = (wanted: Opened): void => sheet.open((step) => show({ opened: wanted }, step));
  const close = (): void => sheet.close((step) => show({}, step));
  const all = alerts.data?.items;
  const counts = { open: all?.length, silences: silences.data?.items.length, rules: rules.data?.items.length };
  const chosen = all?.find(({ id }) => id === opened?.id);
  return (
    <div className={styles.page}>
      <PageHead
        title="Alerts"
        meta={all === undefined ? "Reading alerts" : all.length === 0 ? "None is open." : sayOpen(all)}
        actions={mayAct && <Button onClick={() => open({ act: "silence", id: "new" })}>Silence alerts…</Button>}
      />
      <nav className={styles.states} aria-label="Views">
        {viewLinks.map(({ key, label }) => (
          <Link key={key} href={viewHref(key)} look="bare" aria-current={key === view ? "true" : undefined}>
            {label} <b>{counts[key]?.toLocaleString("en-GB")}</b>
          </Link>
        ))}
      </nav>
      {view === "open" && (
        <OpenList
          alerts={alerts}
          nodes={nodes}
          filter={filter}
          nameOf={nameOf}
          onFilter={(next) => show({ filter: next })}
          acts={
            mayAct
              ? {
                  onAcknowledge: ({ id }) => open({ act: "acknowledge", id }),
                  onSilence: ({ id }) => open({ act: "silence", id }),
                }
              : undefined
          }
        />
      )}
      {view === "silences" && (
        <SilenceList
          silences={silences}
          say={(silence) => saySilence(silence, nodeNames, ruleNames)}
          nameOf={nameOf}
          mayEnd={mayAct}
        />
      )}
      {view === "rules" && (
        <RuleTable
          rules={rules}
          nodeNames={nodeNames}
          opened={opened?.act === "edit" ? opened.id : undefined}
          onOpen={mayAct ? (id) => open({ act: "edit", id }) : undefined}
        />
      )}
      {opened?.act === "acknowledge" && chosen !== undefined && <AcknowledgeDialog alert={chosen} onClose={close} />}
      {opened?.act === "silence" && (opened.id === "new" || chosen !== undefined) && (
        <SilenceSheet key={opened.id} alert={chosen} rules={rules.data?.items ?? []} onClose={close} />
      )}
      {opened !== undefined &&
        opened.act !== "edit" &&
        opened.id !== "new" &&
        chosen === undefined &&
        all !== undefined && <EndedDialog onClose={close} />}
      {opened?.act === "edit" && opened.id === "new" && <NewRuleSheet onClose={close} />}
      {opened?.act === "edit" && opened.id !== "new" && (
        <RuleSheet key={opened.id} id={opened.id} nodeNames={nodeNames} nameOf={nameOf} onClose={close} />
      )}
    </div>
  );
}

/** It was open when its link was made, or when the page was read. */
function EndedDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog
      open
      onClose={onClose}
      title="The alert has ended"
      footer={
        <Button look="primary" onClick={onClose}>
          Close
        </Button>
      }
    >
      <p>It is no longer open, so there is nothing to do. The audit log says when it ended, and why.</p>
    </Dialog>
  );
}

import type { AuditEntryView, Plugin } from "@gatehouse/contract/routes";
import { useMutation, useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { auditQuery } from "../../api/audit.ts";
import { trustQuery, verifyPlugin } from "../../api/plugins.ts";
import { Button } from "../../ui/Button.tsx";
import { Columns } from "../../ui/Columns.tsx";
import { CopyText } from "../../ui/CopyText.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { useWho } from "../../widgets/AuditSentence/use-who.ts";
import { BundleChecks } from "../../widgets/BundleChecks/BundleChecks.tsx";
import { CapabilityTable } from "../../widgets/Capabilities/CapabilityTable.tsx";
import { capabilityRows, changeWords } from "../../widgets/Capabilities/capability-rows.ts";
import { GateTrack } from "../../widgets/GateTrack/GateTrack.tsx";
import { passagesOf } from "../../widgets/GateTrack/passages.ts";
import { summaryOf } from "../../widgets/PluginSummary/plugin-summary.ts";
import { AskPlugin } from "./AskPlugin.tsx";
import { Contributions } from "./Contributions.tsx";
import { GateAction } from "./GateAction.tsx";
import { Identity } from "./Identity.tsx";
import { LastErrors } from "./LastErrors.tsx";
import { PluginHistory } from "./PluginHistory.tsx";
import styles from "./PluginPage.module.css";
import { RuntimeFacts } from "./RuntimeFacts.tsx";
import { useMove } from "./use-move.ts";

export interface PluginDetailProps {
  readonly plugin: Plugin;
  readonly mayInvoke: boolean;
  readonly mayAudit: boolean;
}

const none: readonly never[] = [];

export function PluginDetail({ plugin, mayInvoke, mayAudit }: PluginDetailProps) {
  const { id, name, version, change, runtime } = plugin;
  const audit = useQuery({ ...auditQuery({ subject: `plugin/${id}`, limit: "100" }), enabled: mayAudit });
  const trust = useQuery(trustQuery);
  const check = useMutation({ mutationFn: () => verifyPlugin(id) });
  const move = useMove();
  const [moves, setMoves] = useState(0);
  const status = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    // The button that was pressed is gone, and the next one opens another gate: the focus waits between them.
    if (moves > 0) status.current?.focus();
  }, [moves]);
  const entries = audit.data?.items ?? none;
  const nameOf = useWho(entries);
  const publisher = trust.data?.items.find((one) => one.id === plugin.publisher);
  const summary = summaryOf(plugin);
  const used =
    runtime.state === "armed"
      ? new Map(runtime.capabilityUse.map((use) => [use.name as string, use.calls]))
      : undefined;

  return (
    <>
      <PageHead
        title={name}
        meta={
          <>
            <CopyText text={id} label="plugin id" />
            <span>{plugin.publisher}</span>
            <span ref={status} tabIndex={-1} className={styles.meta}>
              <StateMark state={summary.state} word={summary.word} />
              <span>{sentenceOf(plugin, summary.cause, entries)}</span>
            </span>
          </>
        }
        actions={
          <Button icon={<ShieldCheck aria-hidden="true" />} busy={check.isPending} onClick={() => check.mutate()}>
            Check now
          </Button>
        }
      />
      <GateTrack
        passages={passagesOf(plugin, entries, publisher?.threshold)}
        nameOf={nameOf}
        mark={summary.state}
        action={<GateAction plugin={plugin} move={move} onMoved={() => setMoves(moves + 1)} />}
      />
      {(check.data !== undefined || check.isError) && (
        <div className={styles.below}>
          <Section
            title="Checked now"
            count={check.data?.checks.length}
            aside={
              <Button look="bare" size="small" onClick={check.reset}>
                Hide the checks
              </Button>
            }
          >
            {check.isError && <ApiErrorView error={check.error} title="The bundle could not be checked" />}
            {check.data !== undefined && <BundleChecks verdict={check.data} at={check.submittedAt} />}
          </Section>
        </div>
      )}
      <Columns
        main={
          <>
            <Section
              title={`What ${version} may do`}
              aside={change === undefined ? undefined : `against ${change.from.version}: ${changeWords(change)}`}
            >
              {plugin.capabilities.length === 0 && change === undefined ? (
                <p className={styles.empty}>It declares no capability: it can answer questions and nothing else.</p>
              ) : (
                <CapabilityTable
                  label={`Capabilities of ${version}`}
                  rows={capabilityRows(plugin)}
                  before={change?.from.version}
                  now={version}
                  egressHosts={plugin.egressHosts}
                  used={used}
                />
              )}
            </Section>
            <LastErrors errors={runtime.lastErrors} />
            <Contributions plugin={plugin} />
            {mayAudit && <PluginHistory id={id} audit={audit} nameOf={nameOf} />}
          </>
        }
        beside={
          <>
            <Identity plugin={plugin} trust={trust.data} publisher={publisher} />
            <RuntimeFacts plugin={plugin} />
            <AskPlugin plugin={plugin} mayInvoke={mayInvoke} />
          </>
        }
      />
    </>
  );
}

/** What holds now, in a sentence; what does not happen is said too. */
function sentenceOf(plugin: Plugin, cause: string | null, entries: readonly AuditEntryView[]): string {
  const { status, change, available } = plugin;
  if (!available) return cause ?? "";
  if (status === "verified" && change !== undefined) {
    const down = change.downgrade ? " It is a downgrade." : "";
    return `The bytes on disk changed. Nothing runs until the new digest passes its gates.${down}`;
  }
  if (status === "verified") return "Nothing of it runs until somebody accepts and then activates it.";
  if (status === "installed") return "Its bytes are accepted. Nothing of it runs until somebody activates it.";
  // Only moves say where they lead; questions and what the runtime does of itself come in between.
  const last = entries.find(({ detail }) => "to" in detail);
  const reason = last?.detail["reason"];
  if (status === "disabled" && last?.action === "plugin.activation_failed" && typeof reason === "string") {
    return `The last activation failed: ${reason}. Nothing of it runs.`;
  }
  if (status === "disabled") return cause ?? "Its runtime is absent and nothing of it is shown.";
  return cause ?? "It answers questions. It changes no host.";
}

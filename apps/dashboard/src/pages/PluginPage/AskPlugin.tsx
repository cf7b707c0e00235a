import type { healthStatuses } from "@gatehouse/contract/broker";
import type { ActionReport, Plugin } from "@gatehouse/contract/routes";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { askPlugin, pluginsQuery } from "../../api/plugins.ts";
import { Button } from "../../ui/Button.tsx";
import { Section } from "../../ui/Section.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { DraftPlan } from "../../widgets/DraftPlan/DraftPlan.tsx";
import styles from "./PluginPage.module.css";

type Question = "describe" | "health";

const healths: Readonly<Record<(typeof healthStatuses)[number], { state: State; word: string }>> = {
  ok: { state: "ok", word: "Says that it is well" },
  degraded: { state: "warn", word: "Says that it is degraded" },
  failing: { state: "bad", word: "Says that it is failing" },
};

/** Asks the plugin itself. The answer is its own word, and every question is audited. */
export function AskPlugin({ plugin, mayInvoke }: { readonly plugin: Plugin; readonly mayInvoke: boolean }) {
  const client = useQueryClient();
  const asked = useMutation({
    mutationFn: (action: Question) => askPlugin(plugin.id, action),
    onSettled: () => client.invalidateQueries({ queryKey: pluginsQuery.queryKey }),
  });
  const busy = (action: Question) => asked.isPending && asked.variables === action;
  return (
    <Section title="Ask it">
      {plugin.status !== "active" ? (
        <p className={styles.empty}>Only an active plugin is asked.</p>
      ) : !mayInvoke ? (
        <p className={styles.empty}>
          Asking needs the scope <code>plugin:invoke</code>, which you do not hold.
        </p>
      ) : (
        <>
          <div className={styles.buttons}>
            <Button size="small" busy={busy("health")} onClick={() => asked.mutate("health")}>
              Ask for its health
            </Button>
            <Button size="small" busy={busy("describe")} onClick={() => asked.mutate("describe")}>
              Ask what it is
            </Button>
            <DraftPlan plugin={plugin.id} size="small" />
          </div>
          <p className={styles.quiet}>
            A question starts a fresh process in the sandbox. It is audited and changes nothing.
          </p>
          {asked.isError && <ApiErrorView error={asked.error} size="inline" />}
          {asked.data !== undefined && <Answer report={asked.data} at={asked.submittedAt} />}
        </>
      )}
    </Section>
  );
}

function Answer({ report, at }: { report: ActionReport; at: number }) {
  const { result, action, ms, calls } = report;
  return (
    <div className={styles.answer} role="status">
      {action === "health" ? <Health result={result} /> : <Described result={result} />}
      <p className={styles.quiet}>
        Answered in {ms.toLocaleString("en-GB")} ms, <Time at={at} />.{" "}
        {calls.length === 0
          ? "It asked nothing of the broker."
          : `It asked the broker for ${calls.map(callWords).join(", ")}.`}
      </p>
    </div>
  );
}

function callWords({ method, host, count, refused }: ActionReport["calls"][number]): string {
  const where = host === undefined ? "" : ` to ${host}`;
  const no = refused === 0 ? "" : ` (${refused} refused)`;
  return `${method}${where} ${count === 1 ? "once" : `${count} times`}${no}`;
}

function Health({ result }: { result: unknown }) {
  const { status, message } = result as { status: keyof typeof healths; message?: string };
  return (
    <p>
      <StateMark {...(healths[status] ?? healths.failing)} />
      {message !== undefined && `: ${message}`}
    </p>
  );
}

function Described({ result }: { result: unknown }) {
  const { name, version, summary, mapLines } = result as {
    name: string;
    version: string;
    summary: string;
    mapLines?: readonly unknown[];
  };
  return (
    <p>
      <b>
        {name} {version}
      </b>
      : {summary} {mapLines !== undefined && `${mapLines.length} lines for the map.`}
    </p>
  );
}

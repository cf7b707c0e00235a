import type { DescribeResult, HealthResult } from "@gatehouse/contract/broker";
import { useQuery } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useMay } from "../../api/auth.ts";
import { pluginAnswerQuery } from "../../api/plugins.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { DraftPlan } from "../../widgets/DraftPlan/DraftPlan.tsx";
import styles from "./PluginAnswers.module.css";

const health: Readonly<Record<HealthResult["status"], { readonly state: State; readonly word: string }>> = {
  ok: { state: "ok", word: "Working" },
  degraded: { state: "warn", word: "Degraded" },
  failing: { state: "bad", word: "Failing" },
};

export interface PluginAnswersProps {
  readonly plugin: string;
  readonly title: string;
  /** An input it understands, for whoever asks it for a plan the first time. */
  readonly example: unknown;
  /** What this plugin draws up, and what does not happen by it. */
  readonly children: ReactNode;
}

/** What an active plugin says of itself, asked now. Its words are text: they never become markup or a link. */
export function PluginAnswers({ plugin, title, example, children }: PluginAnswersProps) {
  const mayAsk = useMay("plugin:invoke");
  const maySee = useMay("plugin:admin");
  const describe = useQuery({ ...pluginAnswerQuery(plugin, "describe"), enabled: mayAsk });
  const report = useQuery({ ...pluginAnswerQuery(plugin, "health"), enabled: mayAsk });
  const asking = describe.isFetching || report.isFetching;
  const askAgain = (): void => {
    void describe.refetch();
    void report.refetch();
  };
  return (
    <div className={styles.page}>
      <PageHead
        title={title}
        meta={
          <>
            <code>{plugin}</code>
            {maySee && <Link href={`/plugins/${plugin}`}>Its gates</Link>}
          </>
        }
        actions={
          mayAsk && (
            <>
              <Button icon={<RotateCw size={14} aria-hidden="true" />} busy={asking} onClick={askAgain}>
                Ask again
              </Button>
              <DraftPlan plugin={plugin} example={example} />
            </>
          )
        }
      />
      <div className={styles.lead}>{children}</div>
      {!mayAsk && (
        <Banner state="quiet" title="You may not ask this plugin.">
          That needs the scope <code>plugin:invoke</code>.
        </Banner>
      )}
      {mayAsk && (
        <div className={styles.two}>
          <Section title="Health">
            {report.isPending && <Skeleton count={2} label="Asking for its health" />}
            {report.isError && (
              <ApiErrorView
                title="It could not report its health"
                error={report.error}
                onRetry={askAgain}
                retrying={asking}
              />
            )}
            {report.isSuccess && <HealthFacts result={report.data.result as HealthResult} report={report.data} />}
          </Section>
          <Section title="In its own words">
            {describe.isPending && <Skeleton count={3} label="Asking it to describe itself" />}
            {describe.isError && (
              <ApiErrorView
                title="It could not describe itself"
                error={describe.error}
                onRetry={askAgain}
                retrying={asking}
              />
            )}
            {describe.isSuccess && <Description result={describe.data.result as DescribeResult} />}
          </Section>
        </div>
      )}
    </div>
  );
}

function HealthFacts({ result, report }: { result: HealthResult; report: { ms: number; sandbox: string } }) {
  const { state, word } = health[result.status];
  return (
    <Facts
      items={[
        { label: "State", value: <StateMark state={state} word={word} />, note: result.message },
        { label: "Answered in", value: `${report.ms} ms` },
        { label: "Sandbox", value: <code>{report.sandbox}</code> },
      ]}
    />
  );
}

function Description({ result }: { result: DescribeResult }) {
  return (
    <Facts
      items={[
        { label: "Name", value: result.name },
        { label: "Version", value: <code>{result.version}</code> },
        { label: "Summary", value: result.summary },
      ]}
    />
  );
}

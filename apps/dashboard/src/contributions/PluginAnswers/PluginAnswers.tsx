import type { DescribeResult, HealthResult } from "@gatehouse/contract/broker";
import type { KnownAnswer } from "@gatehouse/contract/routes";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { isApiError } from "../../api/api-error.ts";
import { useMay } from "../../api/auth.ts";
import { askPlugin, type PluginAnswers as Known, pluginAnswersQuery } from "../../api/plugins.ts";
import { Banner } from "../../ui/Banner.tsx";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Facts } from "../../ui/Facts.tsx";
import { Link } from "../../ui/Link.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { Section } from "../../ui/Section.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { type State, StateMark } from "../../ui/StateMark.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { newPlanHref } from "../../widgets/Plans/plans-href.ts";
import styles from "./PluginAnswers.module.css";

const health: Readonly<Record<HealthResult["status"], { readonly state: State; readonly word: string }>> = {
  ok: { state: "ok", word: "Working" },
  degraded: { state: "warn", word: "Degraded" },
  failing: { state: "bad", word: "Failing" },
};

export interface PluginAnswersProps {
  readonly plugin: string;
  readonly title: string;
  /** What this plugin draws up, and what does not happen by it. */
  readonly children: ReactNode;
}

const questions = ["describe", "health"] as const;

/**
 * What an active plugin says of itself, as the server knows it: opening the page asks nothing. Its words are text: they never
 * become markup or a link.
 */
export function PluginAnswers({ plugin, title, children }: PluginAnswersProps) {
  const mayAsk = useMay("plugin:invoke");
  const maySee = useMay("plugin:admin");
  const mayPlan = useMay("plan:create");
  const client = useQueryClient();
  const known = useQuery({ ...pluginAnswersQuery(plugin), enabled: mayAsk });
  const asked = useMutation({
    // Both are asked, also when the first one fails: the page then shows what the server knows of each.
    mutationFn: () => Promise.allSettled(questions.map((action) => askPlugin(plugin, action))),
    onSettled: () => client.invalidateQueries({ queryKey: pluginAnswersQuery(plugin).queryKey }),
  });
  const refused = asked.data?.find((one) => one.status === "rejected" && !isItsOwnFailure(one.reason));
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
          <>
            {mayAsk && (
              <Button
                icon={<RotateCw size={14} aria-hidden="true" />}
                busy={asked.isPending}
                onClick={() => asked.mutate()}
              >
                Ask now
              </Button>
            )}
            {mayPlan && (
              <ButtonLink href={newPlanHref({ plugin })} look="primary">
                New plan
              </ButtonLink>
            )}
          </>
        }
      />
      <div className={styles.lead}>{children}</div>
      {!mayAsk && (
        <Banner state="quiet" title="You may not ask this plugin.">
          That needs the scope <code>plugin:invoke</code>.
        </Banner>
      )}
      {refused?.status === "rejected" && <ApiErrorView error={refused.reason} size="inline" />}
      {known.isError && (
        <ApiErrorView
          title="What it says of itself could not be read"
          error={known.error}
          size={known.data === undefined ? "block" : "inline"}
          onRetry={() => void known.refetch()}
          retrying={known.isFetching}
        />
      )}
      {mayAsk && !(known.isError && known.data === undefined) && (
        <div className={styles.two}>
          <Section title="Health">
            <Answer answer={known.data?.health} waits="Asking for its health" failed="It could not report its health">
              {(result) => <HealthFacts result={result as HealthResult} known={known.data} />}
            </Answer>
          </Section>
          <Section title="In its own words">
            <Answer
              answer={known.data?.describe}
              waits="Asking it to describe itself"
              failed="It could not describe itself"
            >
              {(result) => <Description result={result as DescribeResult} />}
            </Answer>
          </Section>
        </div>
      )}
    </div>
  );
}

/** What the plugin did wrong is shown where its answer would be. */
function isItsOwnFailure(reason: unknown): boolean {
  return isApiError(reason, "plugin.action_failed");
}

function Answer({
  answer,
  waits,
  failed,
  children,
}: {
  readonly answer: KnownAnswer | undefined;
  readonly waits: string;
  readonly failed: string;
  readonly children: (result: unknown) => ReactNode;
}) {
  if (answer === undefined) return <Skeleton count={3} label={waits} />;
  if (answer.state === "unknown" && answer.asking) return <Skeleton count={3} label={waits} />;
  if (answer.state === "unknown") return <p className={styles.quiet}>The server has not asked it yet.</p>;
  return (
    <>
      {answer.state === "failed" ? (
        <Banner state="bad" title={failed}>
          {answer.reason}
        </Banner>
      ) : (
        children(answer.result)
      )}
      <p className={styles.quiet}>
        {answer.state === "failed" ? "Asked" : "Said"} <Time at={answer.at ?? ""} />
        {answer.asking && ", and being asked again"}.
      </p>
    </>
  );
}

function HealthFacts({ result, known }: { result: HealthResult; known: Known | undefined }) {
  const { state, word } = health[result.status];
  return (
    <Facts
      items={[
        { label: "State", value: <StateMark state={state} word={word} />, note: result.message },
        { label: "Answered in", value: `${known?.health.ms ?? 0} ms` },
        { label: "Sandbox", value: <code>{known?.sandbox}</code> },
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

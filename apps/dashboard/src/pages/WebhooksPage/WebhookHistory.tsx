import type { WebhookDelivery } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { webhookDeliveriesQuery } from "../../api/webhooks.ts";
import { Button } from "../../ui/Button.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { answerWords, deliveryMark, eventWords } from "./webhook-words.ts";
import styles from "./WebhooksPage.module.css";

/** The newest attempts. They are no changes, so nobody is told of them: a press reads them again. */
export function WebhookHistory({ id }: { readonly id: string }) {
  const deliveries = useQuery(webhookDeliveriesQuery(id));
  const { data, isPending, isError, isFetching, error, refetch } = deliveries;
  return (
    <section>
      <div className={styles.head}>
        <h3>Newest attempts</h3>
        <Button size="small" busy={isFetching && !isPending} onClick={() => void refetch()}>
          Read again
        </Button>
      </div>
      {isPending && <Skeleton count={3} label="Reading the attempts" />}
      {isError && (
        <ApiErrorView
          error={error}
          title="The attempts could not be read"
          size="inline"
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined &&
        (data.items.length === 0 ? (
          <p className={styles.quiet}>Nothing was sent yet. Send a test to see whether it arrives.</p>
        ) : (
          <Table label="Attempts" columns={columns} rows={data.items} rowKey={keyOf} />
        ))}
    </section>
  );
}

const keyOf = ({ id, attempt, at }: WebhookDelivery): string => `${id}/${attempt}/${at}`;

const columns: readonly Column<WebhookDelivery>[] = [
  {
    key: "event",
    head: "Event",
    least: 140,
    cell: (one) => (
      <>
        {eventWords(one.event)} {one.attempt > 1 && <span className={styles.quiet}>attempt {one.attempt}</span>}
      </>
    ),
  },
  {
    key: "outcome",
    head: "Outcome",
    width: "narrow",
    cell: (one) => (
      <span className={styles.line}>
        <StateMark {...deliveryMark(one)} />
      </span>
    ),
  },
  {
    key: "answer",
    head: "Answer",
    least: 120,
    cell: (one) => (
      <>
        {answerWords(one)} <span className={styles.quiet}>in {one.ms} ms</span>
      </>
    ),
  },
  { key: "at", head: "When", align: "end", phone: "time", cell: ({ at }) => <Time at={at} /> },
];

import type { Webhook } from "@gatehouse/contract/routes";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { webhooksQuery } from "../../api/webhooks.ts";
import { Button } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { PageHead } from "../../ui/PageHead.tsx";
import { ShortText } from "../../ui/ShortText.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { StateMark } from "../../ui/StateMark.tsx";
import { type Column, Table } from "../../ui/Table.tsx";
import { Time } from "../../ui/Time.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type Step, useSheetSteps } from "../../widgets/Sheets/use-sheet-steps.ts";
import { AddWebhookDialog } from "./AddWebhookDialog.tsx";
import { eventCount, webhookMark } from "./webhook-words.ts";
import { WebhookSheet } from "./WebhookSheet.tsx";
import styles from "./WebhooksPage.module.css";

const addCommand = "gatehouse webhook add chat --url-file url.txt --event alert.opened,node.offline";

/** Who outside is told of what happens here. */
export function WebhooksPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const webhooks = useQuery(webhooksQuery);
  const [isAdding, setAdding] = useState(false);
  const opened = typeof search["webhook"] === "string" ? search["webhook"] : undefined;
  const sheet = useSheetSteps(opened !== undefined);
  const show = (webhook: string | undefined, step: Step): void => {
    const next = webhook === undefined ? {} : { webhook };
    void navigate({ to: "/settings/webhooks", search: next, ...step, resetScroll: false });
  };
  const { data, isPending, isError, isFetching, error, refetch } = webhooks;
  return (
    <div className={styles.page}>
      <PageHead
        title="Webhooks"
        meta="Signed notices to a chat, a pager or a program of yours, when something happens that nobody should have to look for."
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            Add a webhook…
          </Button>
        }
      />
      {isPending && <Skeleton shape="rows" count={3} columns={5} label="Reading webhooks" />}
      {isError && (
        <ApiErrorView
          error={error}
          title={data === undefined ? "Webhooks could not be read" : "This is not up to date"}
          size={data === undefined ? "block" : "inline"}
          onRetry={() => void refetch()}
          retrying={isFetching}
        />
      )}
      {data !== undefined &&
        (data.items.length === 0 ? (
          <Empty title="No webhooks yet" command={addCommand} commandLabel="Add one above, or on the command line">
            A webhook is told of alerts, of nodes that go offline, of plans that wait and of changes that were taken
            back. It gets every notice in order, and again until it has taken it.
          </Empty>
        ) : (
          <Table
            label="Webhooks"
            columns={columns}
            rows={data.items}
            rowKey={({ id }) => id}
            onRow={({ id }) => sheet.open((step) => show(id, step))}
            selectedKey={opened}
          />
        ))}
      {opened !== undefined && data !== undefined && (
        <WebhookSheet
          key={opened}
          webhook={data.items.find(({ id }) => id === opened)}
          onClose={() => sheet.close((step) => show(undefined, step))}
        />
      )}
      {isAdding && <AddWebhookDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

const columns: readonly Column<Webhook>[] = [
  {
    key: "name",
    head: "Name",
    least: 140,
    cell: ({ name }) => (
      <b>
        <ShortText text={name} most={30} />
      </b>
    ),
  },
  {
    key: "state",
    head: "State",
    least: 120,
    phone: "time",
    cell: (webhook) => (
      <span className={styles.line}>
        <StateMark {...webhookMark(webhook)} />
      </span>
    ),
  },
  { key: "url", head: "Sends to", least: 180, drop: 2, cell: ({ url }) => <code>{url}</code> },
  { key: "events", head: "Told of", least: 160, cell: (webhook) => eventCount(webhook) },
  {
    key: "last",
    head: "Last taken",
    drop: 1,
    align: "end",
    phoneLabel: true,
    cell: ({ lastAt }) => (lastAt === null ? <span className={styles.quiet}>none known</span> : <Time at={lastAt} />),
  },
];

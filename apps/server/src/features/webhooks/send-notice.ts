import { type WebhookRecord, webhookKind } from "@gatehouse/contract/records";
import type { Secrets } from "@gatehouse/store";
import { EgressError, fetchNamed, type NamedRequest } from "../../platform/egress/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { noticeRequest } from "./limits.ts";
import type { Notice } from "./make-notice.ts";
import { signNotice } from "./sign-notice.ts";

export interface SendNoticeDeps {
  readonly secrets: Pick<Secrets, "open">;
  readonly now: () => number;
  readonly log: Log;
  /** The authorities to believe, and another network than the real one for tests. */
  readonly network: Pick<NamedRequest, "resolve" | "connect" | "ca">;
  /** How people reach this server; null when nobody has said. */
  readonly server: string | null;
}

/** Whether the receiver took it. Of its answer only the status is told. */
export type SendResult =
  | { readonly isTaken: true; readonly status: number }
  | { readonly isTaken: false; readonly status?: number; readonly reason: string };

/** Sends a notice once. Never throws: what goes wrong is a result too. */
export async function sendNotice(
  deps: SendNoticeDeps,
  webhook: Pick<WebhookRecord, "id" | "origin" | "url" | "secret">,
  { notice, skipped }: { readonly notice: Notice; readonly skipped: number },
  signal: AbortSignal,
): Promise<SendResult> {
  const { id, origin } = webhook;
  try {
    const { name: kind } = webhookKind;
    const url = deps.secrets.open({ kind, id, field: "url" }, webhook.url).toString();
    const secret = deps.secrets.open({ kind, id, field: "secret" }, webhook.secret).toString();
    const body = bodyOf(notice, skipped, deps.server);
    const headers = {
      "content-type": "application/json",
      "gatehouse-event": notice.event,
      "gatehouse-delivery": notice.id,
      "gatehouse-signature": signNotice(secret, body, Math.floor(deps.now() / 1_000)),
    };
    const request = { ...deps.network, url, origin, headers, limits: noticeRequest, signal };
    return judgeStatus((await fetchNamed({ ...request, method: "POST", body: Buffer.from(body) })).status);
  } catch (error) {
    if (error instanceof EgressError) return { isTaken: false, reason: error.message };
    deps.log.error("a notice was not sent", { webhook: id }, error);
    return { isTaken: false, reason: "an unexpected failure; the server's log has the cause" };
  }
}

function bodyOf({ id, event, at, text, facts }: Notice, skipped: number, server: string | null): string {
  const more = skipped === 1 ? " 1 earlier notice was left out." : ` ${skipped} earlier notices were left out.`;
  return JSON.stringify({
    id,
    event,
    at: new Date(at).toISOString(),
    server,
    text: skipped === 0 ? text : `${text}${more}`,
    skipped,
    ...facts,
  });
}

function judgeStatus(status: number): SendResult {
  if (status >= 200 && status < 300) return { isTaken: true, status };
  const more =
    status >= 300 && status < 400
      ? ", and redirects are not followed"
      : status === 410
        ? ": it wants no notices any more"
        : "";
  return { isTaken: false, status, reason: `the receiver answered ${status}${more}` };
}

/**
 * Webhooks: who outside is told of what, and every notice signed, in order and again until it was taken. The audit log says what happened.
 * Never tells what a receiver answered but its status, and never shows a secret or more of an address than its origin.
 */
import type { Route } from "../../platform/route/index.ts";
import { type KeptWebhooksDeps, listFailing, noteFailing } from "./kept-webhooks.ts";
import { type DeliveriesDeps, openDeliveries } from "./open-deliveries.ts";
import { webhookRoutes } from "./routes.ts";
import { sendNotice, type SendNoticeDeps } from "./send-notice.ts";

export { newNoticeSecret, signNotice } from "./sign-notice.ts";

export interface WebhooksDeps
  extends Omit<KeptWebhooksDeps, "secrets" | "store">,
    Omit<DeliveriesDeps, "send" | "sayFailing" | "sayWell">,
    Pick<SendNoticeDeps, "network" | "server"> {
  readonly secrets: KeptWebhooksDeps["secrets"] & SendNoticeDeps["secrets"];
}

export interface Webhooks {
  readonly routes: readonly Route[];
  /** Notices that were taken, and attempts that failed, since the start. */
  taken(): number;
  failures(): number;
  /** Those that are on and do not take notices. */
  readFailing(): ReturnType<typeof listFailing>;
  close(): Promise<void>;
}

export async function openWebhooks(deps: WebhooksDeps): Promise<Webhooks> {
  const { clock, log } = deps;
  const turn = async (id: string, reason: string | null): Promise<void> => {
    try {
      await noteFailing(deps, id, { at: clock.now(), reason });
    } catch (error) {
      log.error("how a webhook is doing was not written into the audit log", { webhook: id }, error);
    }
  };
  const now = () => clock.now();
  const deliveries = await openDeliveries({
    ...deps,
    send: (webhook, what, signal) => sendNotice({ ...deps, now }, webhook, what, signal),
    sayFailing: (id, reason) => turn(id, reason),
    sayWell: (id) => turn(id, null),
  });
  return {
    routes: webhookRoutes({ ...deps, deliveries }),
    taken: () => deliveries.taken(),
    failures: () => deliveries.failures(),
    readFailing: () => listFailing(deps),
    close: () => deliveries.close(),
  };
}

import { manualClock } from "@gatehouse/base";
import type { SecretWebhook } from "../../../apps/server/test/webhook-server.ts";
import type { WebhookDelivery } from "@gatehouse/contract/routes";
import { ephemeralSecrets } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { memoryStore } from "@gatehouse/store/far";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { openWebhooks } from "../../../apps/server/src/features/webhooks/index.ts";
import { openResolve } from "../../../apps/server/src/platform/egress/index.ts";
import { openLog } from "../../../apps/server/src/platform/log/index.ts";
import type { CheckedCall } from "../../../apps/server/src/platform/route/index.ts";
import { startDnsPeer, type Zone } from "../../../apps/server/test/dns-peer.ts";
import { makeAuthority, startTlsPeer, type TlsPeer } from "../../support/tls-peer.ts";

/** The door of webhooks: whole, with a receiver of the test behind a real name server. */
export const hookHost = "hooks.example.test";
export const hookSecret = "canary-of-the-path";
const authority = makeAuthority();
const certificate = authority.issue([hookHost]);

export interface WebhookWorld extends AsyncDisposable {
  readonly peer: TlsPeer;
  readonly questions: readonly string[];
  /** An owner adds a webhook to this address; throws what the server refuses with. */
  add(url?: string): Promise<SecretWebhook>;
  /** What a test of it says, and all that was said about it anywhere. */
  send(id: string): Promise<{ readonly delivery: WebhookDelivery; readonly said: string }>;
}

export async function makeWebhooks(
  answer: Parameters<typeof startTlsPeer>[1],
  options: { readonly zone?: Zone; readonly certificate?: { readonly key: string; readonly cert: string } } = {},
): Promise<WebhookWorld> {
  const { zone = () => ({ a: ["8.8.4.4"], aaaa: [] }) } = options;
  const peer = await startTlsPeer(options.certificate ?? certificate, answer);
  const dns = await startDnsPeer(zone);
  const clock = manualClock();
  const store = memoryStore();
  const logLines: string[] = [];
  const webhooks = await openWebhooks({
    store,
    decide: openDecide(store),
    secrets: ephemeralSecrets(),
    telemetry: memoryTelemetry({ clock }),
    clock,
    log: openLog({ format: "text", write: (line) => logLines.push(line) }),
    every: () => () => undefined,
    after: () => () => undefined,
    rest: () => Promise.resolve(),
    random: () => 0,
    network: { ca: authority.ca, connect: peer.connect, resolve: openResolve({ servers: [dns.server] }) },
    server: null,
    requireRights: () => Promise.resolve(),
  });
  const call = async (name: string, more: Partial<CheckedCall>): Promise<unknown> => {
    const row = webhooks.routes.find(({ spec }) => `${spec.method} ${spec.path}` === name);
    const request = { requestId: "r", method: "POST", path: "/", clientAddress: "::1", now: clock.now() };
    const principal = { id: "usr_1", credential: { kind: "session", id: "s" }, scopes: new Set(), authenticatedAt: 0 };
    const given = {
      principal,
      params: {},
      query: {},
      headers: {},
      body: undefined,
      nodes: undefined,
      request,
      ...more,
    };
    return row?.handle(given as unknown as CheckedCall);
  };
  return {
    peer,
    questions: dns.questions,
    add: async (url = `https://${hookHost}/${hookSecret}?token=${hookSecret}`) => {
      const body = { name: "chat", url, events: ["alert.opened"] };
      return (await call("POST /api/webhooks", { body })) as SecretWebhook;
    },
    send: async (id) => {
      const delivery = (await call("POST /api/webhooks/:id/test", { params: { id } })) as WebhookDelivery;
      const list = await call("GET /api/webhooks", {});
      const history = await call("GET /api/webhooks/:id/deliveries", { params: { id } });
      const { items } = await store.searchAudit({ limit: 1_000 });
      return { delivery, said: `${JSON.stringify([delivery, list, history, items])}${logLines.join("")}` };
    },
    [Symbol.asyncDispose]: async () => {
      await webhooks.close();
      await peer[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

import { isUtf8 } from "node:buffer";
import { type BrokerFaultCode, fault } from "@gatehouse/contract";
import { brokerLimits, type BrokerParams, type BrokerResult } from "@gatehouse/contract/broker";
import { EgressError, type EgressReason, fetchGuarded, type GuardedRequest } from "../../platform/egress/index.ts";
import type { Log } from "../../platform/log/index.ts";
import type { BrokerHandlers } from "./handlers.ts";
import { openSlots } from "./open-slots.ts";

export interface FetchDeps {
  readonly log: Log;
  /** Another network than the real one, for tests. */
  readonly network?: Pick<GuardedRequest, "resolve" | "connect" | "ca">;
}

const codes = {
  malformed: "broker.malformed",
  host: "broker.host_not_declared",
  address: "broker.address_refused",
  too_large: "broker.too_large",
  timeout: "broker.timeout",
  unreachable: "broker.unreachable",
  aborted: "broker.detached",
} as const satisfies Record<EgressReason, BrokerFaultCode>;

const limits = {
  requestBytes: brokerLimits.requestBodyBytes,
  responseBytes: brokerLimits.responseBodyBytes,
  connectMs: brokerLimits.connectMs,
  totalMs: brokerLimits.fetchMs,
} as const;

/** Requests to the hosts of the manifest, through the one guarded client. */
export function fetchHandlers({ log, network = {} }: FetchDeps): Pick<BrokerHandlers, "http.fetch"> {
  const inSlot = openSlots(brokerLimits.fetchesAtOnce);
  return {
    "http.fetch": async ({ plugin, signal, noteHost }, params) => {
      const hosts = plugin.egressHosts;
      const body = readBody(params);
      const host = URL.parse(params.url)?.hostname;
      if (host !== undefined && hosts.includes(host)) noteHost(host);
      const { url, method = "GET", headers = {} } = params;
      const request = { ...network, url, method, headers, hosts, limits, signal, ...(body !== undefined && { body }) };
      try {
        return show(await inSlot(plugin.id, signal, () => fetchGuarded(request)));
      } catch (error) {
        if (signal.aborted) throw fault(codes.aborted, "the request was given up");
        if (!(error instanceof EgressError)) throw error;
        if (error.reason === "address") {
          // The address tells about our network: the operator sees it, the plugin does not.
          log.warn("a plugin's request was refused", { plugin: plugin.id, host, address: error.address });
        }
        throw fault(codes[error.reason], error.message, { cause: error });
      }
    },
  };
}

function readBody({ method = "GET", body, bodyEncoding }: BrokerParams<"http.fetch">): Uint8Array | undefined {
  if (body === undefined) {
    if (bodyEncoding !== undefined) throw fault("broker.malformed", "params.bodyEncoding: stands without a body");
    return undefined;
  }
  if (method === "GET" || method === "HEAD") throw fault("broker.malformed", `params.body: a ${method} has none`);
  if (bodyEncoding !== "base64") return Buffer.from(body);
  const bytes = Buffer.from(body, "base64");
  if (bytes.toString("base64") !== body) throw fault("broker.malformed", "params.body: is not base64 with its padding");
  return bytes;
}

function show({ status, headers, body }: Awaited<ReturnType<typeof fetchGuarded>>): BrokerResult<"http.fetch"> {
  const bodyEncoding = isUtf8(body) ? "utf8" : "base64";
  return { status, headers: { ...headers }, body: Buffer.from(body).toString(bodyEncoding), bodyEncoding };
}

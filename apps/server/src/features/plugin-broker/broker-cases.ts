import { type Json, manualClock } from "@gatehouse/base";
import type { ActionName } from "@gatehouse/contract";
import { brokerAnswer } from "@gatehouse/contract/broker";
import { ephemeralSecrets, type Store } from "@gatehouse/store";
import { openDecide } from "@gatehouse/store/decide";
import { farStore } from "../../../test/far-store.ts";
import { openLog } from "../../platform/log/index.ts";
import {
  type BrokerAction,
  type BrokerHandlers,
  type BrokerPlugin,
  fetchHandlers,
  kvHandlers,
  logHandlers,
  type MetricDeps,
  metricHandlers,
  type NodeDeps,
  nodeHandlers,
  openBroker,
} from "./index.ts";

export const netguard: BrokerPlugin = {
  id: "netguard",
  publisher: "acme",
  capabilities: ["kv:read", "kv:write", "log:write", "http:egress"],
  egressHosts: ["api.example.test"],
  payloadSha256: "a".repeat(64),
};

const nothingMeasured = {
  from: "2026-01-01T00:00:00.000Z",
  stepSeconds: 60,
  minutes: 0,
  means: { cpu: [], load: [], memory: [], disk: [], netIn: [], netOut: [] },
};

/** The broker as compose builds it, over a store without a disk. */
export function setUpBroker({
  store = farStore(),
  network = {},
  replace = {},
  listNodes = () => Promise.resolve({ items: [], nextCursor: null }),
  readMetrics = () => Promise.resolve(nothingMeasured),
}: {
  store?: Store;
  network?: Parameters<typeof fetchHandlers>[0]["network"];
  replace?: Partial<BrokerHandlers>;
  listNodes?: NodeDeps["listNodes"];
  readMetrics?: MetricDeps["readMetrics"];
} = {}) {
  const lines: string[] = [];
  const clock = manualClock();
  const log = openLog({ format: "json", write: (line) => void lines.push(line), clock });
  const secrets = ephemeralSecrets();
  const handlers = {
    ...kvHandlers({ store, decide: openDecide(store), secrets, clock }),
    ...logHandlers({ log }),
    ...nodeHandlers({ listNodes }),
    ...metricHandlers({ readMetrics }),
    ...fetchHandlers({ log, network }),
    ...replace,
  };
  const broker = openBroker({ handlers, log });
  /** One action of a plugin, and the calls in it. */
  const act = (plugin: Partial<BrokerPlugin> = {}, name: ActionName = "health") => {
    const handle = broker.attach({ ...netguard, ...plugin });
    const action = handle.beginAction(name);
    return { handle, action, ask: (method: string, params?: Json) => askOf(action, method, params) };
  };
  return { broker, store, clock, lines, act };
}

let lastId = 0;

/** The result of a call, or the code of its refusal. What does not have the form of the protocol is an error. */
export async function askOf(action: BrokerAction, method: string, params?: Json): Promise<unknown> {
  const id = (lastId += 1);
  const answer = brokerAnswer.parse(JSON.parse(await action.answer({ id, method, params })));
  if (answer.id !== id) throw new Error("another call was answered");
  return "result" in answer ? answer.result : answer.error.data.code;
}

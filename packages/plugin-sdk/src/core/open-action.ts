import { openBrokerWire } from "./broker-client.ts";
import { type Plugin, PluginRefusal } from "./plugin.ts";
import type { ActionName, PlanQuestion } from "./wire.ts";

export interface ActionDeps {
  /** The word on the command line. */
  readonly action: string | undefined;
  /** Puts one line on the wire; the line has no line end. */
  readonly send: (line: string) => void;
  /** The answer is on the wire, or none can be given. Called once. */
  readonly end: (outcome: { readonly code: 0 | 1; readonly trouble?: unknown }) => void;
}

export interface OpenAction {
  /** One line of the server, without its line end. */
  receive(line: string): void;
  /** The server will send nothing more. */
  close(): void;
}

/** Answers the one action that this process was started for: a request comes in, calls go out, one answer ends it. */
export function openAction(plugin: Plugin, { action, send, end }: ActionDeps): OpenAction {
  const wire = openBrokerWire(send);
  let hasStarted = false;
  let hasEnded = false;

  const finish = (code: 0 | 1, trouble?: unknown) => {
    if (hasEnded) return;
    hasEnded = true;
    wire.close();
    end(trouble === undefined ? { code } : { code, trouble });
  };

  const start = async (request: ActionRequest) => {
    const answer = (body: object) => send(JSON.stringify({ jsonrpc: "2.0", id: 0, ...body }));
    try {
      const result = await act(plugin, request, wire.broker);
      if (!hasEnded) answer({ result });
      finish(0);
    } catch (error) {
      const isPlanned = error instanceof PluginRefusal;
      const message = error instanceof Error ? error.message : String(error);
      if (!hasEnded) answer({ error: { code: isPlanned ? 1 : -32_603, message: message.slice(0, 4_000) } });
      finish(0, isPlanned ? undefined : error);
    }
  };

  return {
    receive: (line) => {
      if (hasEnded) return;
      const message = parseObject(line);
      if (message === undefined) return finish(1, new Error("the server sent a line that is not a JSON object"));
      if (hasStarted) return wire.deliver(message);
      hasStarted = true;
      const request = readRequest(message, action);
      if (typeof request === "string") return finish(1, new Error(request));
      void start(request);
    },
    close: () => {
      if (!hasEnded) finish(1, new Error("the server closed the wire before the action was answered"));
    },
  };
}

type ActionRequest =
  | { readonly method: Exclude<ActionName, "plan"> }
  | { readonly method: "plan"; readonly question: PlanQuestion };

function act({ actions }: Plugin, request: ActionRequest, broker: Parameters<Plugin["actions"]["describe"]>[0]) {
  if (request.method === "plan") {
    const { kv, log } = broker;
    // Handed over by name: a plan that reads does not compile, and would find nothing to call.
    const writer = { put: (key: string, value: string) => kv.put(key, value), delete: (key: string) => kv.delete(key) };
    return actions.plan({ kv: writer, log }, request.question);
  }
  return actions[request.method](broker);
}

function readRequest(message: Record<string, unknown>, action: string | undefined): ActionRequest | string {
  const { id, method, params } = message as { id?: unknown; method?: unknown; params?: Partial<PlanQuestion> };
  if (id !== 0 || (method !== "describe" && method !== "health" && method !== "plan")) {
    return "the first line is not a request for describe, health or plan with id 0";
  }
  if (method !== action) return `started for ${action ?? "nothing"}, asked for ${method}`;
  return method === "plan" ? readPlanRequest(params) : { method };
}

function readPlanRequest({ input = null, nodes }: Partial<PlanQuestion> = {}): ActionRequest | string {
  if (!Array.isArray(nodes)) return "the request for a plan names no nodes: the server is older than this plugin";
  return { method: "plan", question: { input, nodes: nodes as PlanQuestion["nodes"] } };
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line) as unknown;
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

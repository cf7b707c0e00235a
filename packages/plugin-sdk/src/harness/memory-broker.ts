import {
  type ActionName,
  type BrokerFaultCode,
  type BrokerMethod,
  type Capability,
  isBrokerMethod,
} from "@gatehouse/contract";
import {
  type BrokerAnswer,
  type BrokerCall,
  type BrokerParams,
  type BrokerResult,
  brokerErrorNumber,
  brokerLimits,
  brokerMethods,
} from "@gatehouse/contract/broker";

export interface MemoryBrokerOptions {
  /** What the plugin's manifest declares. */
  readonly capabilities: readonly Capability[];
  /** Kept between actions by whoever passes it. */
  readonly store: Map<string, string>;
  readonly onLog?: (level: string, message: string) => void;
  /** What `node.list` shows; none unless told. */
  readonly nodes?: BrokerResult<"node.list">["nodes"];
  /** What `metric.read` shows of a node; nothing was measured unless told. */
  readonly metrics?: (node: string) => BrokerResult<"metric.read"> | undefined;
  /** What `http.fetch` is answered with; nothing here ever opens a connection. */
  readonly fetch?: (request: BrokerParams<"http.fetch">) => BrokerResult<"http.fetch"> | undefined;
}

/** A broker with the rules of the real one and everything in memory: for tests, and for trying a plugin at one's desk. */
export function openMemoryBroker(options: MemoryBrokerOptions): (action: ActionName, call: BrokerCall) => BrokerAnswer {
  const { store } = options;
  const handlers: { readonly [M in BrokerMethod]: (params: BrokerParams<M>) => BrokerResult<M> } = {
    "kv.get": ({ key }) => ({ value: store.get(key) ?? null }),
    "kv.list": ({ prefix = "", after = "", limit = brokerLimits.listKeys }) => {
      const keys = [...store.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted();
      return { keys: keys.slice(0, limit), more: keys.length > limit };
    },
    "kv.put": ({ key, value }) => {
      if (byteLength(value) > brokerLimits.valueBytes) {
        throw new Refusal("broker.too_large", `a value has at most ${brokerLimits.valueBytes} bytes`);
      }
      if (!store.has(key) && store.size >= brokerLimits.keys) {
        throw new Refusal("broker.quota", `${brokerLimits.keys} keys are stored`);
      }
      store.set(key, value);
      return {};
    },
    "kv.delete": ({ key }) => {
      store.delete(key);
      return {};
    },
    "log.write": ({ level, message }) => {
      options.onLog?.(level, message);
      return {};
    },
    "node.list": ({ tag, after = "", limit = brokerLimits.listNodes }) => {
      const nodes = (options.nodes ?? [])
        .filter(({ id, tags }) => id > after && (tag === undefined || tags.includes(tag)))
        .toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { nodes: nodes.slice(0, limit), more: nodes.length > limit };
    },
    "metric.read": ({ node }) => options.metrics?.(node) ?? nothingMeasured,
    "http.fetch": (request) => {
      const reply = options.fetch?.(request);
      if (reply === undefined) throw new Refusal("broker.host_not_declared", "no reply was prepared for this request");
      return reply;
    },
  };

  return (action, { id, method, params }) => {
    try {
      if (!isBrokerMethod(method)) throw new Refusal("broker.unknown_method", "there is no such method");
      const { capability, during, params: schema } = brokerMethods[method];
      if (!options.capabilities.includes(capability)) {
        throw new Refusal("broker.capability_missing", `${method} needs ${capability}`);
      }
      if (!(during as readonly ActionName[]).includes(action)) {
        throw new Refusal("broker.not_during_plan", `${method} can be called in ${during.join(" and ")}`);
      }
      const parsed = schema.safeParse(params ?? {});
      if (!parsed.success) {
        const { path = [], message = "" } = parsed.error.issues[0] ?? {};
        throw new Refusal("broker.malformed", `params/${path.join("/")}: ${message}`);
      }
      // The method's own schema has just read its params.
      const handle = handlers[method] as (params: unknown) => BrokerResult<BrokerMethod>;
      return { jsonrpc: "2.0", id, result: handle(parsed.data) };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message } = error;
      return { jsonrpc: "2.0", id, error: { code: brokerErrorNumber(code), message, data: { code } } };
    }
  };
}

const nothingMeasured: BrokerResult<"metric.read"> = {
  from: "1970-01-01T00:00:00.000Z",
  stepSeconds: 60,
  minutes: 0,
  means: { cpu: [], load: [], memory: [], disk: [], netIn: [], netOut: [] },
};

class Refusal extends Error {
  readonly code: BrokerFaultCode;
  constructor(code: BrokerFaultCode, message: string) {
    super(message);
    this.code = code;
  }
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).byteLength;
}

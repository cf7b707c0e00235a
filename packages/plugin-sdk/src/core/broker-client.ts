import type { FetchReply, FetchRequest, Json, SeenMetrics, SeenNode } from "./wire.ts";

/** A refusal of the broker. `code` is stable: `broker.quota`, `broker.host_not_declared`. */
export class BrokerFault extends Error {
  readonly code: string;
  readonly detail: string;
  constructor(code: string, detail: string) {
    super(`${code}: ${detail}`);
    this.name = "BrokerFault";
    this.code = code;
    this.detail = detail;
  }
}

export interface LogWriter {
  debug(message: string): Promise<void>;
  info(message: string): Promise<void>;
  warn(message: string): Promise<void>;
  error(message: string): Promise<void>;
}

export interface StoreWriter {
  put(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
}

export interface StoreReader {
  /** Undefined when there is no such key. */
  get(key: string): Promise<string | undefined>;
  list(options?: {
    prefix?: string;
    after?: string;
    limit?: number;
  }): Promise<{ readonly keys: readonly string[]; readonly more: boolean }>;
}

/** Everything the server lets a plugin do, as far as its manifest declares it. */
export interface Broker {
  readonly kv: StoreReader & StoreWriter;
  readonly log: LogWriter;
  readonly nodes: {
    list(options?: {
      tag?: string;
      after?: string;
      limit?: number;
    }): Promise<{ readonly nodes: readonly SeenNode[]; readonly more: boolean }>;
  };
  readonly metrics: {
    /** Of the last `minutes`, an hour unless said otherwise, in at most so many points. */
    read(asked: { node: string; minutes?: number; points?: number }): Promise<SeenMetrics>;
  };
  readonly http: { fetch(request: FetchRequest): Promise<FetchReply> };
}

/** While a plan is drawn up a plugin can tell and keep things; it reads nothing but its question, so the same question gives the same plan. */
export interface PlanBroker {
  readonly kv: StoreWriter;
  readonly log: LogWriter;
}

export interface BrokerWire {
  readonly broker: Broker;
  /** An answer of the server to one of our calls. */
  deliver(answer: { readonly id?: unknown; readonly result?: unknown; readonly error?: unknown }): void;
  /** No answer will come any more. */
  close(): void;
}

/** A client over a wire that carries one JSON object per line. Calls may overlap; answers are matched by their ids. */
export function openBrokerWire(send: (line: string) => void): BrokerWire {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (fault: BrokerFault) => void }>();
  let calls = 0;
  let isClosed = false;

  const call = (method: string, params: object): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (isClosed) return reject(new BrokerFault("broker.detached", "the server has closed the wire"));
      calls += 1;
      waiting.set(calls, { resolve, reject });
      send(JSON.stringify({ jsonrpc: "2.0", id: calls, method, params }));
    });

  const write = (level: string) => async (message: string) => {
    await call("log.write", { level, message });
  };

  return {
    broker: {
      kv: {
        get: async (key) => ((await call("kv.get", { key })) as { value: string | null }).value ?? undefined,
        list: async (options = {}) => (await call("kv.list", options)) as { keys: string[]; more: boolean },
        put: async (key, value) => {
          await call("kv.put", { key, value });
        },
        delete: async (key) => {
          await call("kv.delete", { key });
        },
      },
      log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") },
      nodes: {
        list: async (options = {}) => (await call("node.list", options)) as { nodes: SeenNode[]; more: boolean },
      },
      metrics: { read: async (asked) => (await call("metric.read", asked)) as SeenMetrics },
      http: { fetch: async (request) => (await call("http.fetch", request)) as FetchReply },
    },
    deliver: ({ id, result, error }) => {
      const one = typeof id === "number" ? waiting.get(id) : undefined;
      if (one === undefined || typeof id !== "number") return;
      waiting.delete(id);
      if (error === undefined) one.resolve(result);
      else one.reject(faultOf(error));
    },
    close: () => {
      isClosed = true;
      for (const { reject } of waiting.values()) {
        reject(new BrokerFault("broker.detached", "the server has closed the wire"));
      }
      waiting.clear();
    },
  };
}

function faultOf(error: unknown): BrokerFault {
  const { message, data } = error as { readonly message?: Json; readonly data?: { readonly code?: Json } };
  const code = typeof data?.code === "string" ? data.code : "broker.malformed";
  return new BrokerFault(code, typeof message === "string" ? message : "the server gave no reason");
}

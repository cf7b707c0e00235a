import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from "prom-client";

export interface RequestFigures {
  /** A row's pattern or another name from a short list: never text of the caller, or strangers could fill the memory. */
  readonly route: string;
  readonly facts: { readonly method: string };
  readonly status: number;
  readonly ms: number;
  readonly isStream: boolean;
}

export interface MetricsSources {
  readonly auditPosition: () => Promise<number>;
  readonly isStoreWritable: () => boolean;
  readonly eventStreams: () => number;
  readonly cspReports: () => number;
}

export interface Metrics {
  finished(figures: RequestFigures): void;
  render(): Promise<string>;
  close(): void;
}

const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** The server's figures, counted as they happen and read when a scraper asks. */
export function openMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const requests = new Counter({
    name: "gatehouse_http_requests_total",
    help: "Requests answered, by route pattern, method and class of status.",
    labelNames: ["route", "method", "status"],
    registers: [registry],
  });
  const seconds = new Histogram({
    name: "gatehouse_http_request_seconds",
    help: "Time from the request's head to its answer, without streams.",
    labelNames: ["route"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const limited = new Counter({
    name: "gatehouse_http_rate_limited_total",
    help: "Requests refused with 429.",
    registers: [registry],
  });
  gauge(registry, "gatehouse_audit_position", "Position of the newest durable audit record.", sources.auditPosition);
  gauge(registry, "gatehouse_store_writable", "1 when changes can be kept.", () => Number(sources.isStoreWritable()));
  gauge(registry, "gatehouse_event_streams", "Open event streams.", sources.eventStreams);
  gauge(registry, "gatehouse_csp_reports", "Reports of blocked content since the start.", sources.cspReports);
  return {
    finished: ({ route, facts, status, ms, isStream }) => {
      const method = methods.has(facts.method) ? facts.method : "other";
      requests.inc({ route, method, status: `${Math.floor(status / 100)}xx` });
      if (!isStream) seconds.observe({ route }, ms / 1_000);
      if (status === 429) limited.inc();
    },
    render: () => registry.metrics(),
    close: () => registry.clear(),
  };
}

/** A figure that is asked for when it is read, not kept. */
function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const collect = async function (this: Gauge) {
    this.set(await read());
  };
  // Made for its registry, which keeps it.
  void new Gauge({ name, help, registers: [registry], collect });
}

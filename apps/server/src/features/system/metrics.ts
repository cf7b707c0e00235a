import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import type { AuditCheckState } from "@gatehouse/contract";
import { openRequestCounts, type RequestFigures } from "./request-counts.ts";

export interface MetricsSources {
  readonly auditPosition: () => Promise<number>;
  readonly isStoreWritable: () => boolean;
  readonly auditCheck: () => { readonly state: AuditCheckState; readonly endedAt?: number };
  readonly eventStreams: () => number;
  readonly cspReports: () => number;
  readonly metricMinutes: () => number;
  readonly hostLogLines: () => number;
  readonly alertsOpen: () => Promise<number>;
  readonly alertsUnkept: () => number;
  readonly geoLookups: () => number;
  readonly geoFailures: () => number;
  readonly telemetryDropped: () => number;
}

export interface Metrics {
  finished(figures: RequestFigures): void;
  /** The Prometheus text format. */
  render(): Promise<string>;
  close(): void;
}

/** The server's figures, counted as they happen and read when a scraper asks. */
export function openMetrics(sources: MetricsSources): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  gauge(registry, "gatehouse_audit_position", "Position of the newest durable audit record.", sources.auditPosition);
  gauge(registry, "gatehouse_store_writable", "1 when changes can be kept.", () => Number(sources.isStoreWritable()));
  const isOk = "1 when the last check in the background found the audit log as it was written, 0 when it did not.";
  gauge(registry, "gatehouse_audit_ok", isOk, () => okValues[sources.auditCheck().state]);
  const checked = "When that check ended, in seconds since 1970; 0 before the first one has ended.";
  const endedAt = () => (sources.auditCheck().endedAt ?? 0) / 1_000;
  gauge(registry, "gatehouse_audit_checked_timestamp_seconds", checked, endedAt);
  gauge(registry, "gatehouse_event_streams", "Open event streams.", sources.eventStreams);
  gauge(registry, "gatehouse_csp_reports", "Reports of blocked content since the start.", sources.cspReports);
  const minutes = "Minutes that hosts have measured and sent since the start, of all hosts together.";
  counter(registry, "gatehouse_metric_minutes_total", minutes, sources.metricMinutes);
  const lines = "Lines of logs that hosts have sent and that were kept since the start, of all hosts together.";
  counter(registry, "gatehouse_host_log_lines_total", lines, sources.hostLogLines);
  gauge(registry, "gatehouse_alerts_open", "Alerts that are open.", sources.alertsOpen);
  const unkept = "Alerts that are not kept because too many are open.";
  gauge(registry, "gatehouse_alerts_unkept", unkept, sources.alertsUnkept);
  const looked = "Questions to the lookup service of the fleet map since the start.";
  counter(registry, "gatehouse_geo_lookups_total", looked, sources.geoLookups);
  const failed = "Those of them that were not answered as they should be.";
  counter(registry, "gatehouse_geo_failures_total", failed, sources.geoFailures);
  const dropped = "Rows of last use, metrics and host logs that were dropped since the start.";
  counter(registry, "gatehouse_telemetry_dropped_total", dropped, sources.telemetryDropped);
  const requests = openRequestCounts();
  return {
    finished: (figures) => requests.add(figures),
    render: async () => `${await registry.metrics()}\n${requests.render()}`,
    close: () => registry.clear(),
  };
}

const okValues: Readonly<Record<AuditCheckState, number>> = { checking: Number.NaN, ok: 1, failed: 0 };

/** A figure that is asked for when it is read, not kept. */
function gauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  const collect = async function (this: Gauge) {
    this.set(await read());
  };
  // Made for its registry, which keeps it.
  void new Gauge({ name, help, registers: [registry], collect });
}

/** A figure that somebody else counts up. */
function counter(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = function (this: Counter) {
    this.reset();
    this.inc(read());
  };
  void new Counter({ name, help, registers: [registry], collect });
}

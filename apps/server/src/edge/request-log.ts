import type { Log } from "../platform/log/index.ts";
import type { RequestFacts } from "../platform/route/index.ts";

export interface Finished {
  readonly facts: RequestFacts;
  /** The row's pattern, for figures; the log has the path itself. */
  readonly route: string;
  readonly status: number;
  readonly bytes: number;
  readonly ms: number;
  /** How long a stream lived says nothing about speed: it is never slow. */
  readonly isStream: boolean;
}

export interface RequestLogRules {
  readonly accessLog: boolean;
  readonly slowRequestMs: number;
}

const longestPath = 1_024;

/** Contract 5.2: by default only slow requests and failures; with the access log every one. Never the query string. */
export function openRequestLog(log: Pick<Log, "info" | "warn">, rules: RequestLogRules) {
  return (finished: Finished): void => {
    const isSlow = finished.ms > rules.slowRequestMs && !finished.isStream;
    if (!isSlow && finished.status < 500 && !rules.accessLog) return;
    const { facts } = finished;
    const fields = {
      method: facts.method,
      path: facts.path.slice(0, longestPath),
      status: finished.status,
      bytes: finished.bytes,
      ms: Math.round(finished.ms * 10) / 10,
      address: facts.clientAddress,
      requestId: facts.requestId,
    };
    if (isSlow) log.warn("SLOW request", fields);
    else if (finished.status >= 500) log.warn("request", fields);
    else log.info("request", fields);
  };
}

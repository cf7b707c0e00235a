export interface RequestFigures {
  /** A row's pattern or another name from a short list: never text of the caller, or strangers could fill the memory. */
  readonly route: string;
  readonly facts: { readonly method: string };
  readonly status: number;
  readonly ms: number;
  /** Its end says nothing about speed. */
  readonly isStream: boolean;
}

export interface RequestCounts {
  add(figures: RequestFigures): void;
  /** The Prometheus text format. */
  render(): string;
}

/** Upper bounds in milliseconds. */
const bounds = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000];
const methods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

interface Latency {
  /** One count per bound and one for what is slower than all. */
  readonly counts: number[];
  sumMs: number;
}

/**
 * Requests by route, method and class of status, and how long they took. Counted by hand: every request passes here, and
 * the library's counters cost more than the rest of what is done for a page.
 */
export function openRequestCounts(): RequestCounts {
  const totals = new Map<string, number>();
  const latencies = new Map<string, Latency>();
  let limited = 0;
  return {
    add: ({ route, facts, status, ms, isStream }) => {
      const method = methods.has(facts.method) ? facts.method : "other";
      const key = `route="${route}",method="${method}",status="${Math.floor(status / 100)}xx"`;
      totals.set(key, (totals.get(key) ?? 0) + 1);
      if (status === 429) limited += 1;
      if (isStream) return;
      let latency = latencies.get(route);
      if (latency === undefined) {
        latency = { counts: Array.from({ length: bounds.length + 1 }, () => 0), sumMs: 0 };
        latencies.set(route, latency);
      }
      const place = bounds.findIndex((bound) => ms <= bound);
      const index = place === -1 ? bounds.length : place;
      latency.counts[index] = (latency.counts[index] ?? 0) + 1;
      latency.sumMs += ms;
    },
    render: () => {
      const lines = [
        "# HELP gatehouse_http_requests_total Requests answered, by route pattern, method and class of status.",
        "# TYPE gatehouse_http_requests_total counter",
        ...[...totals].map(([labels, count]) => `gatehouse_http_requests_total{${labels}} ${count}`),
        "# HELP gatehouse_http_rate_limited_total Requests refused with 429.",
        "# TYPE gatehouse_http_rate_limited_total counter",
        `gatehouse_http_rate_limited_total ${limited}`,
        "# HELP gatehouse_http_request_seconds Time from a request's head to its answer, without streams.",
        "# TYPE gatehouse_http_request_seconds histogram",
        ...[...latencies].flatMap(([route, latency]) => histogram(route, latency)),
      ];
      return `${lines.join("\n")}\n`;
    },
  };
}

function histogram(route: string, { counts, sumMs }: Latency): string[] {
  let below = 0;
  const lines = counts.map((count, i) => {
    below += count;
    const bound = bounds[i];
    const le = bound === undefined ? "+Inf" : bound / 1_000;
    return `gatehouse_http_request_seconds_bucket{le="${le}",route="${route}"} ${below}`;
  });
  return [
    ...lines,
    `gatehouse_http_request_seconds_sum{route="${route}"} ${sumMs / 1_000}`,
    `gatehouse_http_request_seconds_count{route="${route}"} ${below}`,
  ];
}

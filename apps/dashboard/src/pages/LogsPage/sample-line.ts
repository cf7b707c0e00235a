import type { HostLogLine } from "@gatehouse/contract/routes";

/** A line, for tests: the id is its number. */
export function sampleLine(number: number, given: Partial<HostLogLine> = {}): HostLogLine {
  return {
    id: String(number),
    at: new Date(Date.UTC(2026, 10, 17, 2, 47) + number).toISOString(),
    node: "node_a",
    source: "nginx.service",
    level: "info",
    text: `line ${number}`,
    dropped: null,
    ...given,
  };
}

/** The newest first, as they are answered. */
export function sampleLines(newest: number, count: number): readonly HostLogLine[] {
  return Array.from({ length: count }, (_, at) => sampleLine(newest - at));
}

import { shortTime } from "@gatehouse/command-line";
import type { HostLogLine } from "@gatehouse/contract/routes";

export type NodeNames = ReadonlyMap<string, string>;

/** Lines as a terminal shows them: the newest last. */
export function logLines(newestFirst: readonly HostLogLine[], names: NodeNames): string[] {
  return newestFirst.toReversed().map((line) => sayLine(line, names));
}

function sayLine({ at, node, source, level, text, dropped }: HostLogLine, names: NodeNames): string {
  const who = `${names.get(node) ?? node} ${shortSource(source)}`;
  if (dropped !== null)
    return `${at} ${who} -- ${sayDropped(dropped.lines)} left out on the host since ${shortTime(dropped.from)} --`;
  const grave = level !== null && graveLevels.has(level) ? `${level.toUpperCase()} ` : "";
  return `${at} ${who} ${grave}${text}`;
}

const graveLevels: ReadonlySet<string> = new Set(["emergency", "alert", "critical", "error", "warning"]);

function sayDropped(lines: number | null): string {
  if (lines === null) return "lines that nobody counted were";
  return lines === 1 ? "1 line was" : `${lines} lines were`;
}

function shortSource(source: string): string {
  return source.endsWith(".service") ? source.slice(0, -".service".length) : source;
}

import { hostLogLimits } from "@gatehouse/contract";
import { isoMoment, momentOf, namesOf, textOf } from "../address-parts.ts";
import { searchOf } from "../Fleet/nodes-href.ts";
import type { View } from "../Measured/measured-points.ts";
import { type LogRange, logRanges } from "./log-ranges.ts";

/** What is shown, as the address says it. */
export interface LogsAddress {
  /** As it was typed: words, phrases, and what is only marked. */
  readonly text: string;
  /** Ids; none is all of them. */
  readonly nodes: readonly string[];
  readonly sources: readonly string[];
  /** This one and graver ones. */
  readonly level: LeastLevel | undefined;
  readonly range: LogRange;
  /** A part of the time, whose lines alone are listed. */
  readonly chosen: View | undefined;
  /** The id of the line that is looked at. */
  readonly line: string | undefined;
  readonly isFollowed: boolean;
}

export const leastLevels = ["warning", "error"] as const;
type LeastLevel = (typeof leastLevels)[number];

/** As many as one question may name. */
export const mostLogNodes = 50;

/** What it does not know is left out: an address of another version shows what it can. */
export function readLogsAddress(search: Readonly<Record<string, unknown>>): LogsAddress {
  const [from, to] = [momentOf(search["from"]), momentOf(search["to"])];
  const line = textOf(search["line"]);
  return {
    text: textOf(search["q"]),
    nodes: namesOf(search["nodes"], mostLogNodes) ?? [],
    sources: namesOf(search["source"], hostLogLimits.sources) ?? [],
    level: leastLevels.find((level) => level === search["level"]),
    range: rangeNames.find((name) => name === search["range"]) ?? "hour",
    chosen: from !== undefined && to !== undefined && from < to ? { from, to } : undefined,
    line: isLineId(line) ? line : undefined,
    isFollowed: textOf(search["follow"]) === "true",
  };
}

const rangeNames = Object.keys(logRanges) as readonly LogRange[];

export function logsHref(address: Partial<LogsAddress>): string {
  const { text, nodes = [], sources = [], level, range, chosen, line, isFollowed = false } = address;
  const said = [
    ...searchOf("q", text === "" ? undefined : text),
    ...searchOf("nodes", nodes.length === 0 ? undefined : nodes.join(",")),
    ...searchOf("source", sources.length === 0 ? undefined : sources.join(",")),
    ...searchOf("level", level),
    ...searchOf("range", range === "hour" ? undefined : range),
    ...(chosen === undefined
      ? []
      : [...searchOf("from", isoMoment(chosen.from)), ...searchOf("to", isoMoment(chosen.to))]),
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(isFollowed ? ["follow=true"] : []),
  ];
  return said.length === 0 ? "/logs" : `/logs?${said.join("&")}`;
}

function isLineId(text: string): boolean {
  return /^(?:0|[1-9][0-9]{0,15})$/.test(text);
}

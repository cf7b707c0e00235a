import type { LogLevel } from "@gatehouse/contract";
import type { HostLogLine } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";
import { utcStretch } from "../../ui/time-axis.ts";
import { logRanges } from "../../widgets/HostLogs/log-ranges.ts";
import type { LogsAddress } from "../../widgets/HostLogs/logs-address.ts";
import type { ReadWords } from "./read-words.ts";

const number = new Intl.NumberFormat("en-GB");

/** "1 line", "4,120 lines" */
export function countLines(lines: number): string {
  return `${number.format(lines)} ${lines === 1 ? "line" : "lines"}`;
}

/** What has a sign; the rest is ink. */
const signs: { readonly [Level in LogLevel]?: State } = {
  emergency: "bad",
  alert: "bad",
  critical: "bad",
  error: "bad",
  warning: "warn",
};

export function signOf(level: LogLevel | null): State | undefined {
  return level === null ? undefined : signs[level];
}

/** "nginx": that it is a service goes without saying in a list of them. */
export function shortSource(source: string): string {
  return source.endsWith(".service") ? source.slice(0, -".service".length) : source;
}

/** In a column: of a file its last name, which tells it from the others. */
export function narrowSource(source: string): string {
  return source.startsWith("/") ? source.slice(source.lastIndexOf("/") + 1) : shortSource(source);
}

/** "02:47:31.004" */
export function preciseClock(at: string): string {
  return new Date(at).toISOString().slice(11, 23);
}

/** "02:47:31" */
export function clockSeconds(at: string): string {
  return new Date(at).toISOString().slice(11, 19);
}

/** Around the host's name: what was dropped there, since when, and where it still is. */
export function sayDropped({ source, dropped }: Pick<HostLogLine, "source" | "dropped">) {
  const since = dropped === null ? "" : ` since ${clockSeconds(dropped.from)}`;
  const lines = dropped?.lines ?? null;
  if (lines === null) return { before: "Lines were dropped on ", after: `${since}; nobody counted them.` };
  const [stay, they] = lines === 1 ? ["stays", "It"] : ["stay", "They"];
  const where = source.startsWith("/") ? "the file itself" : "its own journal";
  return { before: `${countLines(lines)} dropped on `, after: `${since}. ${they} ${stay} in ${where}.` };
}

/** What root runs on the host to see the lines that were dropped. */
export function commandForDropped({ source, at, dropped }: Pick<HostLogLine, "source" | "at" | "dropped">) {
  if (dropped === null || source.startsWith("/")) return undefined;
  const moment = (iso: string, by: number) =>
    `"${new Date(Date.parse(iso) + by).toISOString().slice(0, 19).replace("T", " ")} UTC"`;
  return `journalctl -u ${quoted(source)} --since ${moment(dropped.from, 0)} --until ${moment(at, 1_000)}`;
}

/** The same lines at a shell. */
export function shellCommand(
  address: Pick<LogsAddress, "nodes" | "sources" | "level">,
  { query, nameOf, isFollowed }: { query: string; nameOf: (id: string) => string; isFollowed: boolean },
): string {
  return [
    "gatehouse logs",
    ...address.nodes.map((id) => `--node ${quoted(nameOf(id))}`),
    ...address.sources.map((source) => `--source ${quoted(source)}`),
    ...(address.level === undefined ? [] : [`--level ${address.level}`]),
    ...(query === "" ? [] : [`--words ${quoted(query)}`]),
    ...(isFollowed ? ["--follow"] : []),
  ].join(" ");
}

/** As a shell takes it for one word. */
function quoted(text: string): string {
  return /^[\w./@:-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

/** What was asked for, in words: "fra1-edge-03, nginx, error and graver, with timeout, last hour". */
export function sayFilter(
  { nodes, sources, level, range, chosen }: LogsAddress,
  { words, nameOf, now }: { words: ReadWords["words"]; nameOf: (id: string) => string; now: number },
): string {
  return [
    ...few(nodes.map(nameOf), "nodes"),
    ...few(sources.map(shortSource), "units and files"),
    ...(level === undefined ? [] : [level === "error" ? "error" : "warning and error"]),
    ...(words.length === 0 ? [] : [`with ${words.map((word) => `“${word}”`).join(" and ")}`]),
    chosen === undefined ? logRanges[range].words : utcStretch(chosen.from, chosen.to, now),
  ].join(", ");
}

function few(names: readonly string[], kind: string): readonly string[] {
  if (names.length === 0) return [];
  return names.length > 3 ? [`${names.length} ${kind}`] : [names.join(" or ")];
}

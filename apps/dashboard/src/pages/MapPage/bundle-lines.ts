import type { PluginLines } from "@gatehouse/contract/routes";
import type { Cluster } from "./cluster-sites.ts";

type Line = PluginLines["lines"][number];
export type LineState = Line["state"];

/** What decides how a bundle is drawn: what is broken first, what nobody knows last. */
export const lineStates = ["down", "degraded", "up", "unknown", "planned"] as const satisfies readonly LineState[];

export const lineWords: Readonly<Record<LineState, string>> = {
  up: "up",
  degraded: "late",
  down: "down",
  planned: "planned",
  unknown: "not known",
};

/** All lines between two discs, as one. */
export interface LineBundle {
  readonly key: string;
  readonly from: Cluster;
  readonly to: Cluster;
  readonly state: LineState;
  /** Only where there is trouble: "1 of 2 down", or what the plugin says of the only one. */
  readonly words: string;
}

/** Lines inside a disc are not drawn, nor those that lead to where no host is shown. */
export function bundleLines(clusters: readonly Cluster[], lines: readonly Line[]): readonly LineBundle[] {
  const clusterOf = new Map(
    clusters.flatMap((one) => one.sites.flatMap(({ nodes }) => nodes.map(({ id }) => [id, one]))),
  );
  const bundles = new Map<string, { from: Cluster; to: Cluster; lines: Line[] }>();
  for (const line of lines) {
    const ends = [clusterOf.get(line.from), clusterOf.get(line.to)] as const;
    const [from, to] =
      ends[0] !== undefined && ends[1] !== undefined && ends[0].key > ends[1].key ? [ends[1], ends[0]] : ends;
    if (from === undefined || to === undefined || from === to) continue;
    const key = `${from.key} ${to.key}`;
    const bundle = bundles.get(key);
    if (bundle === undefined) bundles.set(key, { from, to, lines: [line] });
    else bundle.lines.push(line);
  }
  return [...bundles].map(([key, { from, to, lines: some }]) => ({ key, from, to, ...sayBundle(some) }));
}

function sayBundle(lines: readonly Line[]): Pick<LineBundle, "state" | "words"> {
  const counts = countLines(lines);
  const state = lineStates.find((one) => counts[one] > 0) ?? "unknown";
  if (state !== "down" && state !== "degraded") return { state, words: "" };
  const [only] = lines;
  if (lines.length === 1 && only !== undefined) return { state, words: only.label };
  return { state, words: `${counts[state]} of ${lines.length} ${lineWords[state]}` };
}

export function countLines(lines: readonly Pick<Line, "state">[]): Readonly<Record<LineState, number>> {
  const counts: Record<LineState, number> = { down: 0, degraded: 0, up: 0, unknown: 0, planned: 0 };
  for (const { state } of lines) counts[state] += 1;
  return counts;
}

/** How many lead to or from a node that is not on the map. */
export function countHidden(lines: readonly Pick<Line, "from" | "to">[], onMap: ReadonlySet<string>): number {
  return lines.filter(({ from, to }) => !onMap.has(from) || !onMap.has(to)).length;
}

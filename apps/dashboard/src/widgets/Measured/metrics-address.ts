import type { DrawnMetric } from "@gatehouse/contract";
import type { Stretch } from "../../api/metrics.ts";
import { searchOf } from "../Fleet/nodes-href.ts";
import { isoMoment, momentOf, namesOf } from "../address-parts.ts";
import { chosenMetrics } from "./metric-scale.ts";
import { type GoingStretch, goingStretches, wholeMinutes } from "./stretches.ts";

/** What is shown, as the address says it. */
export interface MetricsAddress {
  /** Ids; undefined where nobody has chosen. */
  readonly nodes: readonly string[] | undefined;
  readonly metric: DrawnMetric;
  readonly range: GoingStretch | "own";
  readonly stretch: Stretch;
  readonly pick: string | undefined;
  /** The minute that is looked at. */
  readonly at: number | undefined;
}

/** More lines than that nobody tells apart. */
export const mostNodes = 12;

/** What it does not know is left out: an address of another version shows what it can. */
export function readMetricsAddress(search: Readonly<Record<string, unknown>>, now: number): MetricsAddress {
  const named = goingNames.find((name) => name === search["range"]) ?? "hour";
  const [from, to] = [momentOf(search["from"]), momentOf(search["to"])];
  const isOwn = from !== undefined && to !== undefined && from < to && from < now;
  return {
    nodes: namesOf(search["nodes"], mostNodes),
    metric: chosenMetrics.find((name) => name === search["metric"]) ?? chosenMetrics[0],
    range: isOwn ? "own" : named,
    stretch: isOwn ? wholeMinutes(from, to, now) : { lastMs: goingStretches[named].lastMs },
    pick: typeof search["pick"] === "string" ? search["pick"] : undefined,
    at: momentOf(search["at"]),
  };
}

const goingNames = Object.keys(goingStretches) as readonly GoingStretch[];

export function metricsHref({ nodes, metric, range, stretch, pick, at }: Partial<MetricsAddress>): string {
  const said = [
    ...searchOf("nodes", nodes?.join(",")),
    ...searchOf("metric", metric === chosenMetrics[0] ? undefined : metric),
    ...searchOf("range", range === "hour" || range === "own" ? undefined : range),
    ...(stretch !== undefined && "from" in stretch
      ? [...searchOf("from", isoMoment(stretch.from)), ...searchOf("to", isoMoment(stretch.to))]
      : []),
    ...searchOf("pick", pick),
    ...searchOf("at", at === undefined ? undefined : isoMoment(Math.floor(at / 60_000) * 60_000)),
  ];
  return said.length === 0 ? "/metrics" : `/metrics?${said.join("&")}`;
}

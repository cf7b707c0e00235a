import { useMemo } from "react";
import type { PluginLines } from "../../api/map.ts";
import { fitView, type Point, screenOf, type Size, type View } from "../../ui/world/mercator.ts";
import { bundleLines } from "./bundle-lines.ts";
import { closeZoom, type Cluster, clusterSites, zoomStep } from "./cluster-sites.ts";
import { Disc } from "./Disc.tsx";
import { discRadius, exceptionsOf, labelOf } from "./disc-look.ts";
import type { Site } from "./join-places.ts";
import { type DrawnDisc, isTurned, keepLabels } from "./keep-labels.ts";
import { LineLayer } from "./LineLayer.tsx";
import styles from "./MapMarks.module.css";
import { type Box, placePlates } from "./place-plates.ts";
import { Plate } from "./Plate.tsx";
import { useAtRest } from "./use-at-rest.ts";

export interface MapMarksProps {
  readonly sites: readonly Site[];
  readonly now: View;
  readonly size: Size;
  readonly chosen: string | undefined;
  readonly lines: readonly PluginLines[];
  readonly onInto: (view: View) => void;
}

const pointRadius = 4;

/** Discs far out, hosts close in, lines between them. For the eye and the pointer alone: the list is the map for everybody else. */
export function MapMarks({ sites, now, size, chosen, lines, onInto }: MapMarksProps) {
  const step = zoomStep(now.zoom);
  const clusters = useMemo(() => clusterSites(sites, step), [sites, step]);
  const bundles = useMemo(
    () =>
      bundleLines(
        clusters,
        lines.flatMap(({ lines: some }) => some),
      ),
    [clusters, lines],
  );
  const all = useMemo(() => sites.reduce((sum, { nodes }) => sum + nodes.length, 0), [sites]);
  // Where plates and labels have room is decided when the map has come to rest: on the way they would jump.
  const rest = useAtRest(now);
  const { plates, labels } = useMemo(() => {
    const discs = discsOf(clusters, rest, size, all);
    return { plates: platesOf(discs, rest, size), labels: keepLabels(discs, size) };
  }, [clusters, rest, size, all]);
  const discs = discsOf(clusters, now, size, all);
  const radiusOf = ({ key, radius }: DrawnDisc): number => (plates.has(key) ? pointRadius : radius);
  return (
    <div className={styles.marks} aria-hidden="true">
      <LineLayer
        bundles={bundles}
        ends={new Map(discs.map((one) => [one.key, { x: one.x, y: one.y, radius: radiusOf(one) }]))}
        isArc={now.zoom < closeZoom}
        isOld={lines.some(({ trouble }) => trouble !== null)}
        size={size}
      />
      {discs.filter(isNear(size)).map((disc) => {
        const offset = plates.get(disc.key);
        const isChosen = disc.cluster.sites.some(({ nodes }) => nodes.some(({ id }) => id === chosen));
        return offset === undefined ? (
          <Disc
            key={disc.key}
            disc={disc}
            isChosen={isChosen}
            isTurned={isTurned(disc, size)}
            isWhole={disc.x >= disc.radius && disc.x <= size.width - disc.radius}
            hasLabel={labels.has(disc.key)}
            onPress={() => onInto(intoView(disc.cluster, now, size))}
          />
        ) : (
          <Plate key={disc.key} at={disc} offset={offset} cluster={disc.cluster} chosen={chosen} />
        );
      })}
    </div>
  );
}

function discsOf(clusters: readonly Cluster[], view: View, size: Size, all: number): readonly DrawnDisc[] {
  return clusters.map((cluster) => ({
    cluster,
    key: cluster.key,
    ...screenOf(cluster.unit, view, size),
    radius: discRadius(cluster.size, all),
    label: labelOf(cluster),
    exceptions: exceptionsOf(cluster.counts).length,
  }));
}

/** More plates than these have no room on any screen. */
const mostPlates = 40;

/** As far from their places as they stand, so that they move with them. */
function platesOf(discs: readonly DrawnDisc[], view: View, size: Size): ReadonlyMap<string, Box> {
  if (view.zoom < closeZoom) return new Map();
  const near = discs.filter(isNear(size)).filter(({ cluster }) => cluster.sites.length === 1);
  const places = near
    .toSorted((a, b) => b.cluster.size - a.cluster.size)
    .slice(0, mostPlates)
    .map(({ key, x, y, cluster }) => ({ key, x, y, hosts: cluster.size }));
  const placed = placePlates(places, size);
  return new Map(
    places.flatMap(({ key, x, y }) => {
      const box = placed.get(key);
      return box === undefined ? [] : [[key, { ...box, x: box.x - x, y: box.y - y }]];
    }),
  );
}

const beyond = 90;

function isNear({ width, height }: Size): (point: Point) => boolean {
  return ({ x, y }) => x > -beyond && y > -beyond && x < width + beyond && y < height + beyond;
}

/** Two levels nearer at least, and so near that the places of the disc part where they can. */
function intoView({ sites, unit }: Cluster, now: View, size: Size): View {
  const fitted = fitView(sites.length === 1 ? [unit] : sites.map((site) => site.unit), size, 120);
  return { ...fitted, zoom: Math.max(now.zoom + 1, Math.min(fitted.zoom, now.zoom + 4)) };
}

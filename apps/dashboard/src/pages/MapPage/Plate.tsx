import { memo, useMemo } from "react";
import { cx } from "../../ui/cx.ts";
import { Matrix } from "../../ui/Matrix.tsx";
import { Mark } from "../../ui/StateMark.tsx";
import type { Point } from "../../ui/world/mercator.ts";
import { inPlace } from "../../widgets/Fleet/fleet-groups.ts";
import { sayStanding, standingWords } from "../../widgets/Fleet/standing.ts";
import type { Cluster } from "./cluster-sites.ts";
import { exceptionsOf } from "./disc-look.ts";
import styles from "./MapMarks.module.css";
import { type Box, cellPixels, columnsOf, mostCells } from "./place-plates.ts";

export interface PlateProps {
  readonly at: Point;
  /** From its place. */
  readonly offset: Box;
  readonly cluster: Cluster;
  readonly chosen: string | undefined;
}

/** A place close in: its hosts as a matrix on a stem, since they share a point and no zoom would part them. */
export function Plate({ at, offset, cluster, chosen }: PlateProps) {
  const stem = stemOf(offset);
  const isChosen = cluster.sites.some(({ nodes }) => nodes.some(({ id }) => id === chosen));
  return (
    <div className={styles.at} style={{ translate: `${at.x.toFixed(1)}px ${at.y.toFixed(1)}px` }}>
      <svg className={styles.stem}>
        <line x1="0" y1="0" x2={stem.x} y2={stem.y} />
        <circle r="4" />
      </svg>
      <div
        data-plate={cluster.size}
        className={cx(styles.plate, isChosen && styles.chosen)}
        style={{ left: offset.x, top: offset.y, width: offset.width, height: offset.height }}
      >
        <Hosts cluster={cluster} />
      </div>
    </div>
  );
}

// Remembered: while the map moves, plates only change their place.
const Hosts = memo(function Hosts({ cluster }: Pick<PlateProps, "cluster">) {
  const [site] = cluster.sites;
  const nodes = site?.nodes;
  const cells = useMemo(() => {
    if (nodes === undefined || nodes.length > mostCells) return [];
    const now = Date.now();
    return inPlace(nodes).map((node) => {
      const { state, word } = sayStanding(node, now);
      return { key: node.id, state, title: `${node.name}: ${word}`, href: `/nodes/${node.id}` };
    });
  }, [nodes]);
  return (
    <>
      <p className={styles.plateHead}>
        <b title={site?.label ?? undefined}>{site?.label ?? "Unnamed"}</b> {cluster.size.toLocaleString("en-GB")}
      </p>
      {cells.length > 0 ? (
        <div style={{ width: columnsOf(cluster.size) * cellPixels }}>
          <Matrix label="" cells={cells} />
        </div>
      ) : (
        <p className={styles.plateCounts}>
          {exceptionsOf(cluster.counts).map(({ standing, count }) => (
            <span key={standing} title={standingWords[standing].word}>
              <Mark state={standingWords[standing].state} /> {count.toLocaleString("en-GB")}
            </span>
          ))}
          {exceptionsOf(cluster.counts).length === 0 && "nobody needs a look"}
        </p>
      )}
    </>
  );
});

/** The nearest point of the plate. */
function stemOf({ x, y, width, height }: Box): Point {
  return { x: Math.max(x, Math.min(0, x + width)), y: Math.max(y, Math.min(0, y + height)) };
}

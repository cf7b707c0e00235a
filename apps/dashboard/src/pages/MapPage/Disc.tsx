import { useRef } from "react";
import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/StateMark.tsx";
import { standingWords } from "../../widgets/Fleet/standing.ts";
import { exceptionsOf } from "./disc-look.ts";
import type { DrawnDisc } from "./keep-labels.ts";
import styles from "./MapMarks.module.css";

export interface DiscProps {
  readonly disc: DrawnDisc;
  readonly isChosen: boolean;
  readonly isTurned: boolean;
  /** The edge of the map does not cut it. */
  readonly isWhole: boolean;
  readonly hasLabel: boolean;
  readonly onPress: () => void;
}

/** Farther than this a press was the end of a drag. */
const steadyPx = 5;

/** A cluster: how many hosts, and beside it only those that are not as they should be. */
export function Disc({
  disc: { cluster, x, y, radius, label },
  isChosen,
  isTurned,
  isWhole,
  hasLabel,
  onPress,
}: DiscProps) {
  const begun = useRef({ x: 0, y: 0 });
  const exceptions = exceptionsOf(cluster.counts);
  return (
    <div className={styles.at} style={{ translate: `${x.toFixed(1)}px ${y.toFixed(1)}px` }}>
      {isWhole ? (
        <button
          type="button"
          tabIndex={-1}
          data-cluster={cluster.size}
          className={cx(styles.disc, isChosen && styles.chosen)}
          style={{ width: 2 * radius, height: 2 * radius }}
          title={label || undefined}
          onPointerDown={({ clientX, clientY }) => {
            begun.current = { x: clientX, y: clientY };
          }}
          onClick={({ clientX, clientY }) => {
            if (Math.hypot(clientX - begun.current.x, clientY - begun.current.y) < steadyPx) onPress();
          }}
        >
          {cluster.size.toLocaleString("en-GB")}
        </button>
      ) : (
        // What the edge cuts is seen, and pressed once it is moved into sight.
        <span data-cluster={cluster.size} className={styles.disc} style={{ width: 2 * radius, height: 2 * radius }}>
          {cluster.size.toLocaleString("en-GB")}
        </span>
      )}
      {exceptions.length > 0 && (
        <span
          className={cx(styles.exceptions, isTurned && styles.turned)}
          style={{ left: isTurned ? -radius : radius }}
        >
          {exceptions.map(({ standing, count }) => (
            <span key={standing} title={standingWords[standing].word}>
              <Mark state={standingWords[standing].state} /> {count.toLocaleString("en-GB")}
            </span>
          ))}
        </span>
      )}
      {hasLabel && (
        <span className={styles.label} style={{ top: radius }}>
          {label}
        </span>
      )}
    </div>
  );
}

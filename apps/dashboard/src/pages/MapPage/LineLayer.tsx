import { cx } from "../../ui/cx.ts";
import { Mark } from "../../ui/StateMark.tsx";
import type { Point, Size } from "../../ui/world/mercator.ts";
import type { LineBundle } from "./bundle-lines.ts";
import { linePath } from "./line-path.ts";
import styles from "./MapMarks.module.css";

export interface LineLayerProps {
  readonly bundles: readonly LineBundle[];
  readonly ends: ReadonlyMap<string, Point & { readonly radius: number }>;
  readonly isArc: boolean;
  /** The plugin has not answered since: what was is drawn, without the colours of now. */
  readonly isOld: boolean;
  readonly size: Size;
}

/** Lines of plugins between discs. Words stand only at those in trouble. */
export function LineLayer({ bundles, ends, isArc, isOld, size: { width, height } }: LineLayerProps) {
  const drawn = bundles.flatMap((bundle) => {
    const [from, to] = [ends.get(bundle.from.key), ends.get(bundle.to.key)];
    return from === undefined || to === undefined ? [] : [{ bundle, ...linePath(from, to, isArc) }];
  });
  return (
    <>
      <svg className={cx(styles.lines, isOld && styles.old)} width={width} height={height}>
        {drawn.map(({ bundle: { key, state }, d }) => (
          <path key={key} d={d} className={styles[state]} data-line={state} />
        ))}
      </svg>
      {drawn
        .filter(({ bundle }) => bundle.words !== "")
        .map(({ bundle: { key, state, words }, middle }) => (
          <span
            key={key}
            className={cx(styles.lineWords, isOld ? styles.old : styles[state])}
            style={{ translate: `${middle.x.toFixed(1)}px ${middle.y.toFixed(1)}px` }}
          >
            <Mark state={state === "down" ? "bad" : "warn"} /> {words}
          </span>
        ))}
    </>
  );
}

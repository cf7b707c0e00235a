import type { PluginLines } from "../../api/map.ts";
import { Button } from "../../ui/Button.tsx";
import { hourAndMinute } from "../../ui/relative-time.ts";
import { useClock } from "../../ui/use-clock.ts";
import { countHidden, countLines, lineStates, lineWords } from "./bundle-lines.ts";
import marks from "./MapMarks.module.css";
import styles from "./MapPage.module.css";

export interface MapLegendProps {
  readonly lines: readonly PluginLines[];
  /** Ids of the nodes that are on the map. */
  readonly onMap: ReadonlySet<string>;
  readonly isHidden: boolean;
  readonly onHide: () => void;
}

/** Whose lines these are, of when, and how many of which kind. Without a plugin there is none. */
export function MapLegend({ lines, onMap, isHidden, onHide }: MapLegendProps) {
  const now = useClock();
  if (lines.length === 0) return null;
  return (
    <section className={styles.legend} aria-label="Lines">
      {lines.map((one) => (
        <div key={one.plugin}>
          <p>
            <b>
              Lines: {one.name} {one.version}
            </b>
            {sayWhen(one, now)}
          </p>
          <p className={styles.kinds}>
            {kindsOf(one).map(({ state, count }) => (
              <span key={state}>
                <svg className={marks.lines} width="26" height="8" aria-hidden="true">
                  <path d="M0 4h26" className={marks[state]} />
                </svg>
                {count.toLocaleString("en-GB")} {lineWords[state]}
              </span>
            ))}
            {countHidden(one.lines, onMap) > 0 && <span>{sayHidden(countHidden(one.lines, onMap))}</span>}
            {one.lines.length === 0 && one.answeredAt !== null && <span>no lines</span>}
            {one === lines.at(-1) && (
              <Button look="bare" size="small" aria-pressed={isHidden} onClick={onHide}>
                {isHidden ? "Show" : "Hide"}
              </Button>
            )}
          </p>
        </div>
      ))}
      <p className={styles.fine}>They come from an active plugin and go when it is disabled.</p>
    </section>
  );
}

function sayHidden(count: number): string {
  return `${count.toLocaleString("en-GB")} not drawn: an end is not on the map`;
}

function sayWhen({ answeredAt, trouble }: PluginLines, now: number): string {
  if (answeredAt === null) return trouble === null ? ", being asked" : `, which did not answer: ${trouble}`;
  const at = hourAndMinute(Date.parse(answeredAt), now);
  return trouble === null
    ? `, asked once a minute while a map is open, last ${at}`
    : `, from ${at}; the plugin did not answer since: ${trouble}`;
}

function kindsOf({ lines }: PluginLines) {
  const counts = countLines(lines);
  return lineStates.map((state) => ({ state, count: counts[state] })).filter(({ count }) => count > 0);
}

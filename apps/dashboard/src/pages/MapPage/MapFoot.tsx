import type { PlaceLookup } from "../../api/map.ts";
import { useClock } from "../../ui/use-clock.ts";
import type { JoinedPlaces } from "./join-places.ts";
import styles from "./MapPage.module.css";
import { sayLookup, sayPlaceless, sayPlaces } from "./say-places.ts";

export interface MapFootProps {
  /** Of the whole fleet, whatever is filtered. */
  readonly counts: JoinedPlaces;
  readonly lookup: PlaceLookup;
  readonly onPlaceless: () => void;
}

/** How the places are known. */
export function MapFoot({ counts, lookup, onPlaceless }: MapFootProps) {
  const now = useClock();
  const told = sayLookup(lookup);
  return (
    <footer className={styles.foot}>
      <p>{sayPlaces(counts, lookup, now)}</p>
      {told !== undefined && <p className={lookup.trouble === null ? undefined : styles.warn}>{told}</p>}
      {counts.placeless.length > 0 && (
        <p>
          <button type="button" className={styles.inWords} onClick={onPlaceless}>
            {sayPlaceless(counts.placeless)}
          </button>
        </p>
      )}
    </footer>
  );
}

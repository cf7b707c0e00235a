import type { PluginLines } from "../../api/map.ts";
import { type Size, type View } from "../../ui/world/mercator.ts";
import { WorldMap } from "../../ui/world/WorldMap.tsx";
import type { Site } from "./join-places.ts";
import { MapMarks } from "./MapMarks.tsx";
import { useMemo } from "react";

export interface FleetMapProps {
  readonly sites: readonly Site[];
  /** Nodes and places have come; what there is not is then said. */
  readonly isRead: boolean;
  readonly view: View | undefined;
  readonly chosen: string | undefined;
  readonly lines: readonly PluginLines[];
  readonly onRest: (view: View, size: Size, isByHand: boolean) => void;
  /** A disc was pressed: what is in it is looked at. */
  readonly onInto: (view: View) => void;
  readonly onWhole: () => void;
}

const label = "Map of the fleet. Arrow keys move it, plus and minus zoom; the list beside it says what it shows.";

/** The fleet on the world's land. */
export function FleetMap({ sites, isRead, view, chosen, lines, onRest, onInto, onWhole }: FleetMapProps) {
  const points = useMemo(() => sites.map(({ unit }) => unit), [sites]);
  return (
    <WorldMap label={label} view={view} points={points} onRest={onRest} onWhole={onWhole}>
      {(now, size) => isRead && <MapMarks {...{ sites, now, size, chosen, lines, onInto }} />}
    </WorldMap>
  );
}

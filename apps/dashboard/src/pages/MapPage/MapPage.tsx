import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { placesQuery } from "../../api/map.ts";
import { type Node, nodesQuery } from "../../api/nodes.ts";
import { untilLoaded } from "../../api/until-loaded.ts";
import { useFollow } from "../../ui/Link.tsx";
import { frameOf, isInside, type Size, type View } from "../../ui/world/mercator.ts";
import { canDrawWorld } from "../../ui/world/theme-colours.ts";
import { type MapAddress, mapHref, readMapAddress } from "../../widgets/Fleet/map-address.ts";
import { filterNodes } from "../../widgets/Fleet/node-filter.ts";
import { countStandings } from "../../widgets/Fleet/standing.ts";
import { useCauses } from "../../widgets/Fleet/use-causes.ts";
import { inState, joinPlaces, type Site } from "./join-places.ts";
import { MapFoot } from "./MapFoot.tsx";
import { MapHead } from "./MapHead.tsx";
import { MapLegend } from "./MapLegend.tsx";
import { MapList } from "./MapList.tsx";
import styles from "./MapPage.module.css";
import { ofFleet } from "./order-nodes.ts";
import { useFleetLines } from "./use-fleet-lines.ts";

/** Half a megabyte that only a map needs: the list is there before it. */
const FleetMap = lazy(async () => ({ default: (await untilLoaded(() => import("./FleetMap.tsx"))).FleetMap }));

/** Near enough to see one host among its neighbours. */
const shownZoom = 5;
const nobody: readonly Node[] = [];

/** Where every host is, on a map and in a list that follows it. */
export function MapPage() {
  const search: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const follow = useFollow();
  const nodes = useQuery(nodesQuery);
  const places = useQuery(placesQuery);
  const lines = useFleetLines();
  const [hidesLines, setHidesLines] = useState(false);
  const [seen, setSeen] = useState<{ readonly view: View; readonly size: Size }>();
  const [canDraw] = useState(canDrawWorld);
  // The address is compared by its text: ten thousand nodes are not joined anew because the map has moved.
  const written = JSON.stringify(readMapAddress(search));
  const address = useMemo(() => JSON.parse(written) as MapAddress, [written]);
  const filterText = JSON.stringify(address.filter);
  const show = (change: Partial<MapAddress>): void => {
    void navigate({ href: mapHref({ ...address, ...change }), replace: true, resetScroll: false });
  };

  const all = useCauses(nodes.data) ?? nobody;
  const known = places.data?.items;
  const whole = useMemo(() => joinPlaces(ofFleet(all, undefined), known ?? []), [all, known]);
  const { within, sites, placeless } = useMemo(() => {
    const { state, ...others } = JSON.parse(filterText) as MapAddress["filter"];
    const joined = joinPlaces(filterNodes(ofFleet(all, state), others), known ?? []);
    return { within: joined.sites, ...inState(joined, state) };
  }, [all, known, filterText]);
  const shown = useMemo(() => {
    const frame = seen && frameOf(seen.view, seen.size);
    const inView = (some: readonly Site[]): readonly Node[] =>
      some.flatMap(({ unit, nodes: here }) => (frame === undefined || isInside(unit, frame) ? here : []));
    return { nodes: inView(sites), counts: countStandings(inView(within)) };
  }, [sites, within, seen]);

  const chosen = all.find(({ id }) => id === address.node);
  const chosenSite = chosen && whole.sites.find((site) => site.nodes.includes(chosen));
  const choose = (node: Node): void => {
    if (node.id === address.node) follow(`/nodes/${node.id}`);
    else show({ node: node.id, view: address.view ?? seen?.view });
  };
  const onMap = useMemo(() => new Set(sites.flatMap((site) => site.nodes.map(({ id }) => id))), [sites]);
  const isRead = nodes.data !== undefined && places.data !== undefined;
  return (
    <div className={styles.page}>
      <MapHead {...{ address, all, counts: shown.counts }} placeless={placeless.length} onShow={show} />
      <div className={canDraw ? styles.split : styles.listOnly}>
        {canDraw && (
          <div className={styles.mapSide}>
            <div className={styles.map}>
              <Suspense fallback={null}>
                <FleetMap
                  sites={sites}
                  isRead={isRead}
                  view={address.view ?? (chosenSite && { ...spotOnly(chosenSite), zoom: shownZoom })}
                  chosen={chosen?.id}
                  lines={hidesLines ? [] : lines}
                  onRest={(view, size, isByHand) => {
                    setSeen({ view, size });
                    if (isByHand) show({ view });
                  }}
                  onInto={(view) => show({ view })}
                  onWhole={() => show({ view: undefined, node: undefined })}
                />
              </Suspense>
            </div>
            <MapLegend {...{ lines, onMap }} isHidden={hidesLines} onHide={() => setHidesLines(!hidesLines)} />
          </div>
        )}
        <div className={styles.listSide}>
          <MapList
            {...{ nodes, places, address, shown: shown.nodes, placeless, canDraw, chosen, chosenSite }}
            onMap={onMap.size}
            onChoose={choose}
            onShow={show}
          />
          {places.data !== undefined && (
            <MapFoot counts={whole} lookup={places.data.lookup} onPlaceless={() => show({ isPlaceless: true })} />
          )}
        </div>
      </div>
    </div>
  );
}

function spotOnly({ latitude, longitude }: Site): Pick<View, "latitude" | "longitude"> {
  return { latitude, longitude };
}

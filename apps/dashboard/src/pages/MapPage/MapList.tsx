import type { UseQueryResult } from "@tanstack/react-query";
import type { Places } from "../../api/map.ts";
import type { Node } from "../../api/nodes.ts";
import { Button, ButtonLink } from "../../ui/Button.tsx";
import { Empty } from "../../ui/Empty.tsx";
import { Link } from "../../ui/Link.tsx";
import { Skeleton } from "../../ui/Skeleton.tsx";
import { ApiErrorView } from "../../widgets/ApiErrorView/ApiErrorView.tsx";
import { type MapAddress, mapHref } from "../../widgets/Fleet/map-address.ts";
import { ChosenNode } from "./ChosenNode.tsx";
import type { PlacelessNode, Site } from "./join-places.ts";
import styles from "./MapPage.module.css";
import { NodesInView } from "./NodesInView.tsx";
import { PlacelessList } from "./PlacelessList.tsx";

export interface MapListProps {
  readonly nodes: UseQueryResult<readonly Node[]>;
  readonly places: UseQueryResult<Places>;
  readonly address: MapAddress;
  /** Those in view. */
  readonly shown: readonly Node[];
  /** How many the filter leaves on the map, in view or not. */
  readonly onMap: number;
  readonly placeless: readonly PlacelessNode[];
  readonly canDraw: boolean;
  readonly chosen: Node | undefined;
  readonly chosenSite: Site | undefined;
  readonly onChoose: (node: Node) => void;
  readonly onShow: (change: Partial<MapAddress>) => void;
}

/** What the map shows, in words: the same nodes in the same order for whoever does not see it. */
export function MapList(props: MapListProps) {
  const { nodes, places, address, shown, onMap, placeless, canDraw, chosen, chosenSite, onChoose, onShow } = props;
  const failed = nodes.isError ? nodes : places.isError ? places : undefined;
  const isRead = nodes.data !== undefined && places.data !== undefined;
  return (
    <section className={styles.list} aria-labelledby="map-list">
      <header className={styles.listHead}>
        <i className={styles.grip} />
        <div role="status">
          <h2 id="map-list">
            {titleOf(address.isPlaceless, isRead, address.isPlaceless ? placeless.length : shown.length)}
          </h2>
        </div>
        <p>
          {address.isPlaceless ? (
            <Link href={mapHref({ ...address, isPlaceless: false })}>Back to what is in view</Link>
          ) : (
            <Follows {...{ address, onMap, canDraw }} shown={shown.length} />
          )}
        </p>
      </header>
      {chosen !== undefined && <ChosenNode node={chosen} site={chosenSite} canDraw={canDraw} onShow={onShow} />}
      {failed !== undefined && (
        <div className={styles.told}>
          <ApiErrorView
            error={failed.error}
            title={isRead ? "This map is not up to date" : "The map could not be read"}
            size={isRead ? "inline" : "block"}
            onRetry={() => void Promise.all([nodes.refetch(), places.refetch()])}
            retrying={nodes.isFetching || places.isFetching}
          />
        </div>
      )}
      {!isRead && failed === undefined && (
        <div className={styles.told}>
          <Skeleton shape="list" count={8} label="Reading nodes and places" />
        </div>
      )}
      {isRead && address.isPlaceless && <PlacelessList placeless={placeless} />}
      {isRead && !address.isPlaceless && shown.length > 0 && (
        <NodesInView nodes={shown} chosen={chosen?.id} onChoose={onChoose} />
      )}
      {isRead && !address.isPlaceless && shown.length === 0 && (
        <div className={styles.told}>
          <NothingInView {...props} />
        </div>
      )}
    </section>
  );
}

function titleOf(isPlaceless: boolean, isRead: boolean, count: number): string {
  if (!isRead) return "Reading the fleet";
  const nodes = `${count.toLocaleString("en-GB")} ${count === 1 ? "node" : "nodes"}`;
  return isPlaceless ? `${nodes} without a place` : `${nodes} in view`;
}

function Follows({
  address,
  onMap,
  canDraw,
  shown,
}: Pick<MapListProps, "address" | "onMap" | "canDraw"> & { shown: number }) {
  if (!canDraw) return "This browser draws no map: it has no WebGL 2. The list holds every node that has a place.";
  if (shown === onMap) return "All of them. This list follows the map.";
  return (
    <>
      Of {onMap.toLocaleString("en-GB")} on the map.{" "}
      <Link href={mapHref({ ...address, view: undefined })}>Show all</Link>
    </>
  );
}

function NothingInView({ nodes, address, onMap, placeless, onShow }: MapListProps) {
  const isFiltered = Object.keys(address.filter).length > 0;
  if (nodes.data?.length === 0) {
    return (
      <Empty title="No nodes yet" action={<ButtonLink href="/nodes">Nodes</ButtonLink>}>
        A host is on the map once it is enrolled and its place is known.
      </Empty>
    );
  }
  if (onMap > 0) {
    return (
      <Empty title="No node is in view" action={<Button onClick={() => onShow({ view: undefined })}>Show all</Button>}>
        There are {onMap.toLocaleString("en-GB")} elsewhere on the map.
      </Empty>
    );
  }
  if (isFiltered && placeless.length === 0) {
    return (
      <Empty title="No node matches" action={<Button onClick={() => onShow({ filter: {} })}>Clear the filter</Button>}>
        All conditions have to hold together.
      </Empty>
    );
  }
  return (
    <Empty
      title={isFiltered ? "None of these has a place" : "No host has a place"}
      action={<Button onClick={() => onShow({ isPlaceless: true })}>Why they have none</Button>}
    >
      Set one on its page, or let addresses be looked up (<code>SERVICE_GEOIP_LOOKUP_URL</code>).
    </Empty>
  );
}

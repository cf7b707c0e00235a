import { mostZoom, type View } from "../../ui/world/mercator.ts";
import { readNodeFilter } from "./node-filter.ts";
import { type NodeFilter, nodeFilterNames, searchOf } from "./nodes-href.ts";

/** What of the map is shown, as its address says it. */
export interface MapAddress {
  readonly filter: NodeFilter;
  /** Undefined is the whole fleet. */
  readonly view: View | undefined;
  /** The id of the node that is shown. */
  readonly node: string | undefined;
  /** Instead of what is in view: who has no place. */
  readonly isPlaceless: boolean;
}

/** What it does not know is left out: an address of another version shows what it can. */
export function readMapAddress(search: Readonly<Record<string, unknown>>): MapAddress {
  const { node, view } = search;
  return {
    filter: readNodeFilter(search),
    view: typeof view === "string" ? parseView(view) : undefined,
    node: typeof node === "string" && node !== "" ? node : undefined,
    isPlaceless: search["placeless"] === true || search["placeless"] === "true",
  };
}

export function mapHref({ filter = {}, view, node, isPlaceless = false }: Partial<MapAddress>): string {
  const said = [
    ...nodeFilterNames.flatMap((name) => searchOf(name, filter[name])),
    ...(view === undefined ? [] : [`view=${writeView(view)}`]),
    ...searchOf("node", node),
    ...(isPlaceless ? ["placeless=true"] : []),
  ];
  return said.length === 0 ? "/map" : `/map?${said.join("&")}`;
}

/** Latitude, longitude, zoom: as finely as somebody sees. */
function writeView({ latitude, longitude, zoom }: View): string {
  return [latitude.toFixed(3), longitude.toFixed(3), zoom.toFixed(2)].join(",");
}

function parseView(text: string): View | undefined {
  const [latitude = Number.NaN, longitude = Number.NaN, zoom = Number.NaN, more] = text.split(",").map(Number);
  const isOne = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom >= -2 && zoom <= mostZoom;
  return isOne && more === undefined ? { latitude, longitude, zoom } : undefined;
}

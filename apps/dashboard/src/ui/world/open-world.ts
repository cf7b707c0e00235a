import { type GeoJSONSource, type LngLatLike, Map as DrawnMap, setWorkerUrl } from "maplibre-gl";
// A file of our own origin: a worker that is made of text would need a looser policy (contract 4.1).
import workerUrl from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import coarseUrl from "./land-110m.json?url";
import fineUrl from "./land-50m.json?url";
import { type PackedLand, unpackLand } from "./land.ts";
import { mostZoom, type View } from "./mercator.ts";

setWorkerUrl(workerUrl);

/** As the library takes them: red, green and blue. */
export interface WorldColours {
  readonly water: string;
  readonly land: string;
  readonly coast: string;
}

export interface WorldInput {
  /** For a screen reader. */
  readonly label: string;
  /** At every frame in which it moved. */
  readonly onMove: (view: View) => void;
  /** It has come to rest, by somebody's hand or because it was told to. */
  readonly onRest: (view: View, isByHand: boolean) => void;
  /** The land is drawn. */
  readonly onLand: () => void;
  readonly onTrouble: (words: string) => void;
}

export interface World {
  /** Above the land and below the fingers: what is pressed or dragged in it moves the map too. */
  readonly layer: HTMLElement;
  readonly show: (view: View) => void;
  readonly zoomBy: (levels: number) => void;
  readonly paint: (colours: WorldColours) => void;
  readonly close: () => void;
}

/** Nearer than this the coarse coast looks broken. */
const fineZoom = 3;

/** What a button asked for, beside what fingers, wheels and keys did themselves. */
const byHand = "isByHand";

/** Draws the world's land and lets somebody move in it. What stands on the land is the page's own: this draws nothing else. */
export function openWorld(box: HTMLElement, view: View, colours: WorldColours, events: WorldInput): World {
  const stopped = new AbortController();
  const empty = { type: "FeatureCollection" as const, features: [] };
  const map = new DrawnMap({
    container: box,
    center: centreOf(view),
    zoom: view.zoom,
    minZoom: -2,
    maxZoom: mostZoom,
    renderWorldCopies: false,
    attributionControl: false,
    locale: { "Map.Title": events.label },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    rollEnabled: false,
    style: {
      version: 8,
      sources: { land: { type: "geojson", data: empty } },
      layers: [
        { id: "water", type: "background", paint: { "background-color": colours.water } },
        { id: "land", type: "fill", source: "land", paint: { "fill-color": colours.land, "fill-antialias": false } },
        { id: "coast", type: "line", source: "land", paint: { "line-color": colours.coast, "line-width": 0.75 } },
      ],
    },
  });
  map.touchZoomRotate.disableRotation();
  map.keyboard.disableRotation();
  const now = (): View => {
    const { lng, lat } = map.getCenter();
    return { longitude: lng, latitude: lat, zoom: map.getZoom() };
  };
  const bring = async (url: string): Promise<void> => {
    const answer = await fetch(url, { signal: stopped.signal });
    if (!answer.ok) throw new Error(`the basemap was answered ${answer.status}`);
    const shape = unpackLand((await answer.json()) as PackedLand);
    await map.getSource<GeoJSONSource>("land")?.setData({ type: "Feature", properties: {}, geometry: shape });
  };
  const tell = (error: unknown): void => {
    if (!stopped.signal.aborted) events.onTrouble(error instanceof Error ? error.message : "the map failed");
  };
  let isFine = false;
  const refine = (): void => {
    if (isFine || map.getZoom() < fineZoom) return;
    isFine = true;
    bring(fineUrl).catch((error: unknown) => {
      isFine = false;
      tell(error);
    });
  };
  map.on("move", () => events.onMove(now()));
  map.on("moveend", (event) => {
    refine();
    events.onRest(now(), "originalEvent" in event || byHand in event);
  });
  map.on("error", ({ error }) => tell(error));
  map.once("load", () => {
    bring(coarseUrl)
      .then(() => {
        events.onLand();
        refine();
      })
      .catch(tell);
    events.onRest(now(), false);
  });
  return {
    layer: map.getCanvasContainer(),
    show: (next) => map.easeTo({ center: centreOf(next), zoom: next.zoom, duration: 300 }),
    zoomBy: (levels) => map.easeTo({ zoom: map.getZoom() + levels, duration: 200 }, { [byHand]: true }),
    paint: (next) => {
      if (!map.isStyleLoaded()) map.once("load", () => paint(map, next));
      else paint(map, next);
    },
    close: () => {
      stopped.abort();
      map.remove();
    },
  };
}

function centreOf({ longitude, latitude }: View): LngLatLike {
  return [longitude, latitude];
}

function paint(map: DrawnMap, { water, land, coast }: WorldColours): void {
  map.setPaintProperty("water", "background-color", water);
  map.setPaintProperty("land", "fill-color", land);
  map.setPaintProperty("coast", "line-color", coast);
}

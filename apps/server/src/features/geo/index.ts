/**
 * Geo: where nodes are, by the hand of a person or by a lookup service that is asked for the public addresses of hosts.
 * Never asks unless somebody looks, never more than one question at a time, and never repeats what a service said but a place.
 */
import type { Clock } from "@gatehouse/base";
import { type Node, type PlaceLookup, placesRoute } from "@gatehouse/contract/routes";
import type { Telemetry } from "@gatehouse/store/telemetry";
import type { Log } from "../../platform/log/index.ts";
import { type Route, route, type SeenNodes } from "../../platform/route/index.ts";
import { askService, type AskServiceDeps } from "./ask-service.ts";
import { chooseAddress } from "./choose-address.ts";
import { type KnownPlaces, openKnownPlaces } from "./known-places.ts";
import { lookupServiceOf } from "./lookup-service.ts";
import { type Lookup, openLookup } from "./open-lookup.ts";
import { addressesOf, viewPlaces } from "./view-places.ts";

export interface GeoDeps extends Pick<AskServiceDeps, "network"> {
  /** SERVICE_GEOIP_LOOKUP_URL: `off`, or a template with `{ip}`. */
  readonly template: string;
  readonly telemetry: Pick<Telemetry, "keepPlace" | "placesOf">;
  readonly clock: Clock;
  readonly log: Log;
  readonly after: (ms: number, act: () => void) => () => void;
  readonly findNode: (id: string) => Promise<Node | undefined>;
  readonly listNodes: (
    seen: SeenNodes,
    page: { readonly limit: number; readonly cursor?: string | undefined },
  ) => Promise<{ readonly items: readonly Node[]; readonly nextCursor: string | null }>;
}

export interface Geo {
  readonly routes: readonly Route[];
  /** Questions to the service since the start, and those that failed. */
  asked(): number;
  failures(): number;
  close(): Promise<void>;
}

interface Open {
  readonly host: string;
  readonly places: KnownPlaces;
  readonly lookup: Lookup;
}

export function openGeo(deps: GeoDeps): Geo {
  const open = openService(deps);
  return {
    routes: [
      route(placesRoute, ({ nodes, query }) =>
        nodes.answer(async (seen) => {
          const page = { limit: Number(query.limit ?? 100), cursor: query.cursor };
          const { items, nextCursor } = await deps.listNodes(seen, page);
          return { items: await viewPlaces(items, open), nextCursor, lookup: await viewLookup(deps, open, seen) };
        }),
      ),
    ],
    asked: () => open?.lookup.asked() ?? 0,
    failures: () => open?.lookup.failures() ?? 0,
    close: async () => open?.lookup.close(),
  };
}

function openService({ template, telemetry, clock, log, after, network, findNode }: GeoDeps): Open | undefined {
  const service = lookupServiceOf(template);
  if (service === undefined) return undefined;
  const now = () => clock.now();
  const places = openKnownPlaces({ telemetry, service: service.host, now });
  const lookup = openLookup({
    ask: (address, signal) => askService({ service, now, log, network }, address, signal),
    places,
    isStillWanted: async (address, id) => {
      const node = await findNode(id);
      if (node === undefined || node.place !== null) return false;
      const chosen = chooseAddress(node);
      return "address" in chosen && chosen.address === address;
    },
    clock,
    log,
    after,
  });
  return { host: service.host, places, lookup };
}

async function viewLookup(deps: GeoDeps, open: Open | undefined, seen: SeenNodes): Promise<PlaceLookup> {
  if (open === undefined) return { service: null, waiting: 0, trouble: null, answeredAt: null };
  const { host, lookup } = open;
  const answeredAt = lookup.answeredAt();
  return {
    service: host,
    waiting: seen.isEvery ? lookup.waiting() : await countWaiting(deps, lookup, seen),
    trouble: lookup.trouble(),
    answeredAt: answeredAt === null ? null : new Date(answeredAt).toISOString(),
  };
}

/** How many hosts others have is nobody's business who may not see them. */
async function countWaiting({ listNodes }: GeoDeps, lookup: Lookup, seen: SeenNodes): Promise<number> {
  const waiting = new Set<string>();
  let cursor: string | null | undefined;
  while (cursor !== null && lookup.waiting() > 0) {
    const { items, nextCursor } = await listNodes(seen, { limit: 1_000, cursor });
    for (const address of addressesOf(items)) if (lookup.isWaiting(address)) waiting.add(address);
    cursor = nextCursor;
  }
  return waiting.size;
}

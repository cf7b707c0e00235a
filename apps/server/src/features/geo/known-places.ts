import { type HandPlace, handPlace } from "@gatehouse/contract";
import type { KnownPlace, Telemetry } from "@gatehouse/store/telemetry";
import { geoLimits } from "./limits.ts";

export interface KnownPlacesDeps {
  readonly telemetry: Pick<Telemetry, "keepPlace" | "placesOf">;
  /** Whose word counts. */
  readonly service: string;
  readonly now: () => number;
}

export interface KnownPlaces {
  /** The place of each address that is known; null where the service knows none. */
  find(addresses: readonly string[]): Promise<ReadonlyMap<string, HandPlace | null>>;
  keep(address: string, place: HandPlace | null): Promise<void>;
}

/** What the service has said, from the disk; what a full disk does not take is remembered until the process ends. */
export function openKnownPlaces({ telemetry, service, now }: KnownPlacesDeps): KnownPlaces {
  const unkept = new Map<string, KnownPlace>();
  return {
    find: async (addresses) => {
      const kept = await telemetry.placesOf(service, addresses);
      const found = addresses.flatMap((address) => {
        const known = unkept.get(address) ?? kept.get(address);
        const place = known === undefined ? undefined : read(known, now());
        return place === undefined ? [] : [[address, place] as const];
      });
      return new Map(found);
    },
    keep: async (address, place) => {
      const known = { address, service, at: now(), place: place ?? undefined };
      unkept.delete(address);
      if (await telemetry.keepPlace(known)) return;
      unkept.set(address, known);
      const [oldest = address] = unkept.keys();
      if (unkept.size > geoLimits.unkept) unkept.delete(oldest);
    },
  };
}

/** Undefined when it is too old, or is nothing that we have written. */
function read({ at, place }: KnownPlace, now: number): HandPlace | null | undefined {
  if (now - at > (place === undefined ? geoLimits.unfoundMs : geoLimits.foundMs)) return undefined;
  return place === undefined ? null : handPlace.safeParse(place).data;
}

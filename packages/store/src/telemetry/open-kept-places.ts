import type { KnownPlace, Telemetry, TelemetryLimits } from "./telemetry.ts";

/** Where places are kept: what is different between the adapters. */
export interface PlaceRows {
  keepPlace(known: KnownPlace): Promise<void>;
  placesOf(service: string, addresses: readonly string[]): Promise<readonly KnownPlace[]>;
}

export interface KeptPlacesDeps {
  readonly rows: PlaceRows;
  readonly mayGrow: () => boolean;
  /** Says whether it went well, and warns when it did not. */
  readonly attempt: (name: string, work: () => Promise<unknown>) => Promise<boolean>;
  readonly isOpen: () => boolean;
  readonly limits: TelemetryLimits;
}

export interface KeptPlaces extends Pick<Telemetry, "keepPlace" | "placesOf"> {
  /** Resolves when every place that came before is kept or refused. */
  readonly landed: () => Promise<void>;
}

/** Places that were looked up: few, and each cost a question to somebody else, so each is written when it comes. */
export function openKeptPlaces({ rows, mayGrow, attempt, isOpen, limits }: KeptPlacesDeps): KeptPlaces {
  const underWay = new Set<Promise<boolean>>();
  return {
    keepPlace: async (known) => {
      if (!isOpen() || !mayGrow() || !hasForm(known, limits.nameChars)) return false;
      const kept = attempt("keeping a place", () => rows.keepPlace(known));
      underWay.add(kept);
      return kept.finally(() => underWay.delete(kept));
    },
    placesOf: async (service, addresses) => {
      let found: readonly KnownPlace[] = [];
      if (isOpen() && addresses.length > 0) {
        await attempt("reading places", async () => {
          found = await rows.placesOf(service, addresses);
        });
      }
      return new Map(found.map((known) => [known.address, known]));
    },
    landed: async () => {
      await Promise.all(underWay);
    },
  };
}

function hasForm({ address, service, at, place }: KnownPlace, mostChars: number): boolean {
  const texts = [address, service, place?.label ?? "-"];
  return (
    texts.every((text) => text.length > 0 && text.length <= mostChars) &&
    Number.isSafeInteger(at) &&
    at >= 0 &&
    (place === undefined || (Number.isFinite(place.latitude) && Number.isFinite(place.longitude)))
  );
}

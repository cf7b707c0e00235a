import type { DatabaseSync } from "node:sqlite";
import type { KnownPlace } from "./telemetry.ts";

export const placeSchema: readonly string[] = [
  // No latitude: the service knows no place.
  `CREATE TABLE places (address TEXT PRIMARY KEY, service TEXT NOT NULL, at INTEGER NOT NULL, latitude REAL, longitude REAL,
    label TEXT) STRICT, WITHOUT ROWID`,
  `CREATE INDEX places_by_time ON places (at)`,
];

interface Row {
  readonly address: string;
  readonly service: string;
  readonly at: number;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly label: string | null;
}

/** Places by address, a row each: the newest word about it, whichever service gave it. */
export function openPlaceTable(db: DatabaseSync) {
  const keep =
    db.prepare(`INSERT INTO places (address, service, at, latitude, longitude, label) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (address) DO UPDATE SET service = excluded.service, at = excluded.at, latitude = excluded.latitude,
      longitude = excluded.longitude, label = excluded.label WHERE excluded.at >= places.at`);
  const find = db.prepare("SELECT * FROM places WHERE address IN (SELECT value FROM json_each(?)) AND service = ?");
  const pruneOld = db.prepare(
    "DELETE FROM places WHERE address IN (SELECT address FROM places WHERE at < ? ORDER BY at LIMIT ?)",
  );
  const pruneMany = db.prepare(`DELETE FROM places WHERE address IN
    (SELECT address FROM places ORDER BY at LIMIT min(?, max(0, (SELECT count(*) FROM places) - ?)))`);
  return {
    keep: ({ address, service, at, place }: KnownPlace): void => {
      keep.run(address, service, at, place?.latitude ?? null, place?.longitude ?? null, place?.label ?? null);
    },
    find: (service: string, addresses: readonly string[]): KnownPlace[] =>
      (find.all(JSON.stringify(addresses), service) as unknown as Row[]).map(placeOf),
    /** Removes one part of what is too old or too much; true while there may be more. */
    prune: (before: number, mostPlaces: number, most: number): boolean =>
      Number(pruneOld.run(before, most).changes) >= most || Number(pruneMany.run(most, mostPlaces).changes) >= most,
  };
}

function placeOf({ address, service, at, latitude, longitude, label }: Row): KnownPlace {
  const place = latitude === null || longitude === null ? undefined : { latitude, longitude, label };
  return { address, service, at, place };
}

import type { DatabaseSync } from "node:sqlite";
import type { NodeHours } from "./metric-hours.ts";
import { hourMs } from "./pack-hour.ts";

/** The packed hours of all nodes in `telemetry.db`. */
export interface HourTable {
  hoursOf(node: string): NodeHours;
  /** Removes so many hours at most that end before this time, the oldest first; true while there may be more. */
  prune(before: number, most: number): boolean;
}

interface KnownNode {
  readonly id: number;
  readonly newest: number;
}

export function openHourTable(db: DatabaseSync): HourTable {
  const find = db.prepare("SELECT id, newest FROM metric_nodes WHERE node = ?");
  const begin = db.prepare("INSERT INTO metric_nodes (node, newest) VALUES (?, ?) RETURNING id, newest");
  const advance = db.prepare("UPDATE metric_nodes SET newest = ? WHERE id = ?");
  const read = db.prepare("SELECT packed FROM metric_hours WHERE hour = ? AND node = ?");
  const write = db.prepare("INSERT OR REPLACE INTO metric_hours (hour, node, packed) VALUES (?, ?, ?)");
  const remove = db.prepare(`DELETE FROM metric_hours WHERE (hour, node) IN
    (SELECT hour, node FROM metric_hours WHERE hour < ? ORDER BY hour, node LIMIT ?)`);
  // Only when no hour before this is left, so that such a node has none at all.
  const forget = db.prepare("DELETE FROM metric_nodes WHERE newest < ?");

  const hoursOf = (name: string): NodeHours => {
    let known = find.get(name) as KnownNode | undefined;
    return {
      read: (hour) => {
        // Most hours of a long stretch may lie before the first or behind the last that there is.
        if (known === undefined || hour > known.newest) return undefined;
        return read.get(hour, known.id)?.["packed"] as Uint8Array | undefined;
      },
      write: (hour, packed) => {
        known ??= begin.get(name, hour) as unknown as KnownNode;
        if (hour > known.newest) {
          advance.run(hour, known.id);
          known = { ...known, newest: hour };
        }
        write.run(hour, known.id, packed);
      },
    };
  };
  return {
    hoursOf,
    prune: (before, most) => {
      const firstKept = Math.floor(before / hourMs);
      if (Number(remove.run(firstKept, most).changes) >= most) return true;
      forget.run(firstKept);
      return giveBack(db);
    },
  };
}

const mostReturned = 4_096;

/**
 * Free pages are filled again, hour after hour. Only when they are a quarter of the file, because somebody keeps minutes for a shorter
 * time now, they go back to the disk, part by part; true while there may be more.
 */
function giveBack(db: DatabaseSync): boolean {
  const read = (name: string): number => Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0] as number;
  const free = read("freelist_count");
  if (free <= mostReturned || free * 4 <= read("page_count")) return false;
  db.exec(`PRAGMA incremental_vacuum(${mostReturned})`);
  return read("freelist_count") < free;
}

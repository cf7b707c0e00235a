import type { DatabaseFormat } from "../database/schema.ts";
import { attemptSchema } from "./attempt-table.ts";
import { logSchema } from "./log-tables.ts";
import { placeSchema } from "./place-table.ts";

/** `telemetry.db`. Every kind has an index by time, for what is to be removed, and one for how it is asked for. */
export const telemetryFormat: DatabaseFormat = {
  name: "telemetry.db",
  applicationId: 0x4754454c, // "GTEL"
  steps: [
    [
      `CREATE TABLE touches (key TEXT PRIMARY KEY, at INTEGER NOT NULL, origin TEXT) STRICT, WITHOUT ROWID`,
      `CREATE INDEX touches_by_time ON touches (at)`,
      `CREATE TABLE samples (id INTEGER PRIMARY KEY, node TEXT NOT NULL, name TEXT NOT NULL, at INTEGER NOT NULL,
        value REAL NOT NULL) STRICT`,
      `CREATE INDEX samples_by_name ON samples (node, name, at)`,
      `CREATE INDEX samples_by_time ON samples (at)`,
      `CREATE TABLE logs (id INTEGER PRIMARY KEY, node TEXT NOT NULL, unit TEXT NOT NULL, at INTEGER NOT NULL,
        text TEXT NOT NULL) STRICT`,
      `CREATE INDEX logs_by_node ON logs (node, at)`,
      `CREATE INDEX logs_by_time ON logs (at)`,
    ],
    [
      `DROP TABLE samples`,
      // The newest hour, because asking whether a node has any would be a walk through all hours of all nodes.
      `CREATE TABLE metric_nodes (id INTEGER PRIMARY KEY, node TEXT NOT NULL UNIQUE, newest INTEGER NOT NULL) STRICT`,
      // By hour first: what is written now lies together, and so does what is removed (decision 0020).
      `CREATE TABLE metric_hours (hour INTEGER NOT NULL, node INTEGER NOT NULL, packed BLOB NOT NULL,
        PRIMARY KEY (hour, node)) STRICT, WITHOUT ROWID`,
    ],
    // The first table of logs was never written to. Those of a part are made when it begins (decision 0021).
    [`DROP TABLE logs`, ...logSchema, ...placeSchema],
    [...attemptSchema],
  ],
  settings: [
    // A power cut may take the last seconds, never the file: nobody waits for the disk here.
    "synchronous = NORMAL",
    "cache_size = -8192",
    // Four times the usual: pages of the text index are written again and again, and this way to the file once for all of them.
    "wal_autocheckpoint = 4000",
  ],
};

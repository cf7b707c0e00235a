import type { DatabaseFormat } from "../database/schema.ts";
import { headSchema } from "../heads/head-table.ts";
import { auditArchiveSchema } from "./audit-schema.ts";

/** `logs.db`. */
export const logsFormat: DatabaseFormat = {
  name: "logs.db",
  applicationId: 0x47415445, // "GATE"
  steps: [auditArchiveSchema],
  lastStep: headSchema,
  settings: [
    // An archived position is cut from the log right after: it must survive a power cut.
    "synchronous = FULL",
    "cache_size = -32768",
    // The tail holds what the log holds anyway; it never touches another disk.
    "temp_store = MEMORY",
    "temp.auto_vacuum = INCREMENTAL",
  ],
};

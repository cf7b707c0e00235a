import { serveDatabase } from "../database/serve-database.ts";
import { logsFormat } from "./logs-format.ts";
import { openLogsHandlers } from "./logs-handlers.ts";

/** The thread that holds `logs.db`. */
serveDatabase(logsFormat, openLogsHandlers);

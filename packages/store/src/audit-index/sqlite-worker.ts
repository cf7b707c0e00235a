import { serveDatabase } from "../database/serve-database.ts";
import { logsFormat } from "./logs-format.ts";
import { openNouns } from "./nouns.ts";

/** The thread that holds `logs.db`. */
serveDatabase(logsFormat, openNouns);

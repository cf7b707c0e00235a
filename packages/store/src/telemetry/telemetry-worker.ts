import { serveDatabase } from "../database/serve-database.ts";
import { telemetryFormat } from "./telemetry-format.ts";
import { openTelemetryNouns } from "./telemetry-nouns.ts";

/** The thread that holds `telemetry.db`. */
serveDatabase(telemetryFormat, openTelemetryNouns);

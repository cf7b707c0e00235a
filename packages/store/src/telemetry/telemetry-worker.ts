import { serveDatabase } from "../database/serve-database.ts";
import { nameUnlessOutOfRange } from "../database/sqlite-fault.ts";
import { telemetryFormat } from "./telemetry-format.ts";
import { openTelemetryHandlers } from "./telemetry-handlers.ts";

/** The thread that holds `telemetry.db`. */
serveDatabase(telemetryFormat, openTelemetryHandlers, nameUnlessOutOfRange);

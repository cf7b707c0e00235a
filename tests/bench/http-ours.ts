import { memoryStore } from "@gatehouse/store";
import * as z from "zod";
import { compose } from "../../apps/server/src/compose.ts";
import { loadConfig } from "../../apps/server/src/config.ts";
import { openLog } from "../../apps/server/src/platform/log/index.ts";
import { route } from "../../apps/server/src/platform/route/index.ts";
import { records } from "./http-records.ts";

/** The server's whole edge in front of a list that lies ready, on a port of its own; prints the port. */
const config = loadConfig({ SERVICE_LISTEN: "127.0.0.1:0", SERVICE_API_RATE: "100000,100000" });
const list = route(
  {
    method: "GET",
    path: "/api/bench/records",
    summary: "Twenty records.",
    access: { kind: "public", because: "a list for the bench, which only this process serves" },
    responses: { 200: z.looseObject({}) },
  },
  () => ({ items: records, nextCursor: null }),
);
const running = await compose({
  config,
  log: openLog({ format: "text" }),
  onFatal: () => process.exit(1),
  maxConnections: 1_000,
  parts: { store: memoryStore(), authenticate: () => undefined, moreRoutes: [list] },
});
process.stdout.write(`port ${running.port}\n`);

import { type Clock, systemClock } from "@gatehouse/base";
import type { RouteSpec, SocketSpec } from "@gatehouse/contract/routes";
import { ephemeralSecrets } from "@gatehouse/store";
import { memoryStore } from "@gatehouse/store/far";
import { memoryBlobs } from "@gatehouse/store/blobs";
import { memoryHeads } from "@gatehouse/store/heads";
import { memoryTelemetry } from "@gatehouse/store/telemetry";
import { compose } from "../../../apps/server/src/compose.ts";
import { loadConfig } from "../../../apps/server/src/config.ts";
import { openLog } from "../../../apps/server/src/platform/log/index.ts";
import { admin } from "../support/server.ts";
import type { Authenticate, Principal, Route, SocketRoute } from "../../../apps/server/src/platform/route/index.ts";

/**
 * The door to the server's inside, for the few classes that a stranger cannot see from outside: whether a handler ran,
 * which credential was looked up, what a public address at the other end would be believed.
 */
export { clientAddresses } from "../../../apps/server/src/edge/client-address.ts";
export { sessionCookieName } from "../../../apps/server/src/edge/credential.ts";
export type { Authenticate, Principal, Route };

export interface PlantedServer extends AsyncDisposable {
  readonly port: number;
  readonly log: readonly string[];
}

export interface Planted {
  readonly routes?: readonly Route[];
  readonly sockets?: readonly SocketRoute[];
  /** In the place of users, sessions and tokens; `real` keeps those. Nobody can sign in unless it says otherwise. */
  readonly authenticate?: Authenticate | "real";
  readonly env?: Readonly<Record<string, string>>;
  /** In the place of the machine's own. */
  readonly clock?: Clock;
}

/** The whole server in this process, with routes of the test's own beside the real ones. Nothing is kept on disk. */
export async function startPlanted({
  routes = [],
  sockets = [],
  authenticate = () => undefined,
  env = {},
  clock = systemClock,
}: Planted): Promise<PlantedServer> {
  const lines: string[] = [];
  const settings = {
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_API_RATE: "100000,100000",
    SERVICE_ADMIN_USERNAME: admin.username,
    SERVICE_ADMIN_PASSWORD: admin.password,
    ...env,
  };
  const running = await compose({
    config: loadConfig(settings),
    log: openLog({ format: "json", write: (line) => void lines.push(line) }),
    onFatal: (error) => {
      throw error;
    },
    maxConnections: 1_000,
    parts: {
      kept: {
        store: memoryStore(),
        secrets: ephemeralSecrets(),
        telemetry: memoryTelemetry(),
        blobs: memoryBlobs(),
        heads: memoryHeads(),
      },
      clock,
      moreRoutes: routes,
      moreSockets: sockets,
      ...(authenticate !== "real" && { authenticate }),
    },
  });
  return { port: running.port, log: lines, [Symbol.asyncDispose]: () => running.stop(500) };
}

/** A handler that only counts. */
export function spyRoute(spec: RouteSpec): Route & { readonly runs: () => number } {
  let runs = 0;
  const handle = () => {
    runs += 1;
    return { ran: true };
  };
  return { spec, handle, runs: () => runs };
}

/** A socket that counts how often it was opened and sends back what it hears. */
export function spySocket(spec: SocketSpec): SocketRoute & { readonly opened: () => number } {
  let opened = 0;
  const open: SocketRoute["open"] = (connection) => {
    opened += 1;
    // Whoever connects here has proved enough: these tests are about what comes before, and about the frames.
    connection.admitted();
    connection.onMessage((data) => connection.send(data));
  };
  return { spec, open, opened: () => opened };
}

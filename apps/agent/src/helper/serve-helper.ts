import { createServer, type Server } from "node:net";
import type { StopTimer } from "../host/timers.ts";
import { type ConnectionDeps, type LocalConnection, serveConnection } from "./serve-connection.ts";
import { localLimits } from "../local/local-limits.ts";

export interface ServedHelper {
  /** When nobody has been connected for a while, or after `close`. */
  readonly done: Promise<void>;
  close(): void;
}

/** The socket that systemd hands over, or one of its own in tests. */
export type HelperDoor = { readonly fd: number } | { readonly path: string };

export interface ServeDeps extends ConnectionDeps {
  /** Whether something is under way that has to come to its end here. */
  readonly isBusy: () => boolean;
}

/** Answers until nobody has been connected for a minute in which nothing was under way. */
export async function serveHelper(deps: ServeDeps, door: HelperDoor): Promise<ServedHelper> {
  const connections = new Set<LocalConnection>();
  const { promise: done, resolve, reject } = Promise.withResolvers<void>();
  let stopIdle: StopTimer = () => undefined;
  const server = createServer((socket) => {
    stopIdle();
    serveConnection(deps, connections, socket);
    socket.on("close", () => {
      if (connections.size === 0 && server.listening) stopIdle = startIdle();
    });
  });
  const close = () => {
    stopIdle();
    server.close(() => resolve());
    for (const each of connections) each.cut();
  };
  const startIdle = (): StopTimer => deps.timers.after(localLimits.idleMs, endIdle);
  const endIdle = () => {
    if (deps.isBusy()) stopIdle = startIdle();
    else close();
  };
  await listen(server, door);
  server.on("error", reject);
  stopIdle = startIdle();
  return { done, close };
}

function listen(server: Server, door: HelperDoor): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(door, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

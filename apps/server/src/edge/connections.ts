import type { Server } from "node:http";
import type { Socket } from "node:net";
import { edgeLimits } from "./limits.ts";

export interface Connections {
  /** Closes those that never said a word: browsers open connections ahead of time, and these wait for nothing. */
  closeSilent(): void;
  close(): void;
}

/**
 * Knows the open connections, and cuts those whose reader takes nothing. A timer per connection would do that too, and
 * would be set anew for every request; looking at all of them now and then costs a request nothing.
 */
export function watchConnections(server: Server): Connections {
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const timer = setInterval(() => {
    for (const socket of open) watchReader(socket);
  }, edgeLimits.readerCheckMs).unref();
  return {
    closeSilent: () => {
      for (const socket of open) if (socket.bytesRead === 0) socket.destroy();
    },
    close: () => clearInterval(timer),
  };
}

/** Once bytes wait for the reader, it must take some within the time limit. The server's next request ends the watch. */
export function watchReader(socket: Pick<Socket, "writableLength" | "timeout" | "setTimeout">): void {
  if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(edgeLimits.idleTimeoutMs);
}

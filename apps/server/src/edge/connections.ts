import type { Server } from "node:http";
import type { Socket } from "node:net";
import { addToCount } from "@gatehouse/base";
import type { Log } from "../platform/log/index.ts";
import { addressBlock, type ClientAddresses } from "./client-address.ts";
import type { ClientSocket } from "./front.ts";
import { edgeLimits } from "./limits.ts";

export interface ConnectionsDeps {
  readonly addresses: Pick<ClientAddresses, "peer">;
  /** Of one address that is no proxy's; further ones are closed at once. */
  readonly perAddress: number;
  readonly log: Pick<Log, "warn">;
}

export interface Connections {
  /** Closes those that never said a word: browsers open connections ahead of time, and these wait for nothing. */
  closeSilent(): void;
  /** It speaks another protocol from now on: whoever speaks it with it looks after it. Its address still pays for it. */
  handOver(socket: ClientSocket): void;
  /**
   * Its address pays for it no more. The share is there against strangers; an agent that has proved who it is counts among the
   * agents, and a whole fleet may stand behind one address.
   */
  uncount(socket: ClientSocket): void;
  close(): void;
}

/**
 * Knows the open connections. Looking at all of them now and then costs a request nothing; a timer per connection would be
 * set anew for every one. A look cuts those whose reader takes nothing and closes those that say nothing; only a proxy may
 * keep an idle one for longer, because many people share it.
 */
export function watchConnections(server: Server, deps: ConnectionsDeps): Connections {
  const open = new Map<ClientSocket, { readBefore: number }>();
  const perAddress = new Map<string, number>();
  const refused = new Map<string, number>();
  const uncount = (socket: ClientSocket) => {
    if (socket.block === undefined) return;
    addToCount(perAddress, socket.block, -1);
    socket.block = undefined;
  };
  // One function for all of them: there may be ten thousand.
  const onClose = function (this: ClientSocket) {
    open.delete(this);
    uncount(this);
  };
  server.on("connection", (socket: ClientSocket) => {
    const peer = deps.addresses.peer(socket.remoteAddress);
    socket.peer = peer;
    if (!peer.isProxy) {
      const block = addressBlock(peer.address);
      if ((perAddress.get(block) ?? 0) >= deps.perAddress) {
        addToCount(refused, block, 1);
        socket.destroy();
        return;
      }
      addToCount(perAddress, block, 1);
      socket.block = block;
    }
    open.set(socket, { readBefore: -1 });
    socket.once("close", onClose);
  });
  const look = () => {
    for (const [socket, seen] of open) {
      watchReader(socket);
      if (isIdle(socket) && socket.bytesRead === seen.readBefore) socket.destroy();
      seen.readBefore = socket.bytesRead;
    }
    // Said once a look, however often it happened: a line for each would be a second attack.
    for (const [address, times] of refused) {
      deps.log.warn("connections refused", { address, times, allowed: deps.perAddress });
    }
    refused.clear();
  };
  const timer = setInterval(look, edgeLimits.readerCheckMs).unref();
  return {
    closeSilent: () => {
      for (const socket of open.keys()) if (socket.bytesRead === 0) socket.destroy();
    },
    handOver: (socket) => void open.delete(socket),
    uncount,
    close: () => clearInterval(timer),
  };
}

/** How many connections one address may have, of all that there may be. */
export function connectionsPerAddress(all: number): number {
  return Math.max(1, Math.floor(all * edgeLimits.connectionsShare));
}

/** How many of them agents may have: people must get in beside any number of those. */
export function connectionsOfAgents(all: number): number {
  return Math.max(Math.floor(all / 2), all - edgeLimits.connectionsForPeople);
}

/** Nothing is under way on it, and it is not a proxy's. One that never said a word is thrown out by the server itself. */
export function isIdle({ peer, exchange }: Pick<ClientSocket, "peer" | "exchange">): boolean {
  return peer?.isProxy === false && exchange?.res.writableFinished === true;
}

/** Once bytes wait for the reader, it must take some within the time limit. The server's next request ends the watch. */
export function watchReader(socket: Pick<Socket, "writableLength" | "timeout" | "setTimeout">): void {
  if (socket.writableLength > 0 && !socket.timeout) socket.setTimeout(edgeLimits.idleTimeoutMs);
}

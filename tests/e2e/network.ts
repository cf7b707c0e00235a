import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A way to a server that can stop carrying anything without ending a connection, as a lost network does. */
export interface Network extends AsyncDisposable {
  readonly baseUrl: string;
  readonly freeze: () => void;
  readonly thaw: () => void;
}

export async function openNetwork(target: string): Promise<Network> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  const gateway = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port) });
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("data", (piece) => void to.write(piece));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      // A server that was stopped for a while is not noticed either: what it sent lies in the kernel.
      if (isFrozen) from.pause();
    }
  });
  gateway.listen(0, "127.0.0.1");
  await once(gateway, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(gateway.address() as AddressInfo).port}`,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    thaw: () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
    },
    [Symbol.asyncDispose]: async () => {
      gateway.close();
      for (const socket of sockets) socket.destroy();
      await once(gateway, "close");
    },
  };
}

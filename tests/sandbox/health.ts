import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";

/** This process as a server that is asked how it is, over a real connection each time. */
export interface Health {
  /** Resolves when the answer is there. */
  ask(): Promise<void>;
  close(): void;
}

export async function openHealth(): Promise<Health> {
  const server = createServer((_, answer) => answer.end('{"status":"ok"}'));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    ask: () =>
      new Promise((resolve, reject) => {
        const asked = get({ host: "127.0.0.1", port, agent: false }, (answer) => answer.resume().on("end", resolve));
        asked.on("error", reject);
      }),
    close: () => server.close(),
  };
}

import { once } from "node:events";
import { createServer, request as forward } from "node:http";
import type { AddressInfo } from "node:net";
import { agentDownloadPath } from "@gatehouse/channel";

export interface AgentFront {
  readonly url: string;
  close(): void;
}

/**
 * Stands before a real server and answers one question for it: which agents there are. What a build of the product holds differs
 * from machine to machine, and tests must not.
 */
export async function startAgentFront(server: string, sha256: string): Promise<AgentFront> {
  const front = createServer((request, response) => {
    const { method, url = "", headers } = request;
    if (url === agentDownloadPath) {
      const items = [{ arch: "x64", sha256, size: 7 }];
      response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify({ version: "1.0.0", items }));
      return;
    }
    const behind = forward(new URL(url, server), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
      answer.pipe(response);
    });
    behind.on("error", () => response.destroy());
    request.pipe(behind);
  });
  front.listen(0, "127.0.0.1");
  await once(front, "listening");
  return {
    url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    close: () => {
      front.closeAllConnections();
      front.close();
    },
  };
}

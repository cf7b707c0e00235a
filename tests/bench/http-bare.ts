import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { records } from "./http-records.ts";

/** The bare engine: node:http. A GET gets the same list, made into JSON for every request; a POST is parsed and sent back. */
const server = createServer((request, response) => {
  const answer = (data: unknown): void => {
    const body = JSON.stringify(data);
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
    response.end(body);
  };
  if (request.method === "GET") {
    answer({ items: records, nextCursor: null });
    return;
  }
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => answer(JSON.parse(Buffer.concat(parts).toString("utf8"))));
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`));

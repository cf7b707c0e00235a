import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { records } from "./http-records.ts";

/** The bare engine: node:http that answers everything with the same list, made into JSON for every request. */
const server = createServer((_request, response) => {
  const body = JSON.stringify({ items: records, nextCursor: null });
  response.writeHead(200, { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) });
  response.end(body);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`port ${(server.address() as AddressInfo).port}\n`));

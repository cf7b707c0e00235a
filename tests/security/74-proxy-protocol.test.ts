import { expect, test } from "vitest";
import { sendRaw } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Teleport: whoever connected could say with a PROXY line where they came from. */
const server = await sharedServer({
  env: { SERVICE_TRUST_PROXY: "1", SERVICE_ACCESS_LOG: "1", SERVICE_LOG_FORMAT: "json" },
});

const claimed = "198.51.100.77";
const second = Buffer.from("0d0a0d0a000d0a515549540a2111000cc633644d7f000001303901bb", "hex");
const request = "GET /api/agent/control/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n";

test.each([
  ["version 1", Buffer.from(`PROXY TCP4 ${claimed} 127.0.0.1 12345 443\r\n${request}`)],
  ["version 1 of nobody", Buffer.from(`PROXY UNKNOWN\r\n${request}`)],
  ["version 2", Buffer.concat([second, Buffer.from(request)])],
])("the PROXY protocol, %s, is no HTTP: it is refused, and nobody is taken for another", async (_, bytes) => {
  const answer = await sendRaw(server.port, bytes);
  expect([0, 400]).toContain(answer.status);
  expect(answer.body.toString()).not.toContain(claimed);
  expect(server.stdout()).not.toContain(claimed);
});

test("the three forms were tried", (context) => tried(context, count(3, "headers")));

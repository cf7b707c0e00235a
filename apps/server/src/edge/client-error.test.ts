import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { openClientErrors } from "./client-error.ts";
import type { Finished } from "./request-log.ts";

/** A connection whose server side is handed to the test, and all that the client gets. */
async function connection(): Promise<{ socket: Socket; received: Promise<string> }> {
  const server = createServer({ allowHalfOpen: true });
  const accepted = new Promise<Socket>((resolve) => {
    server.once("connection", resolve);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  const client = connect(port, "127.0.0.1");
  const received = new Promise<string>((resolve) => {
    let text = "";
    client.on("data", (chunk) => {
      text += String(chunk);
    });
    client.on("error", () => undefined);
    client.on("close", () => resolve(text));
  });
  return { socket: await accepted, received };
}

function handler() {
  const finished: Finished[] = [];
  const onError = openClientErrors({
    securityHeaders: ["X-Content-Type-Options", "nosniff"],
    identify: () => ({
      facts: { requestId: "req_1", method: "", path: "", clientAddress: "198.51.100.1", now: 0 },
      route: "unparsed",
      ms: 0,
    }),
    onFinished: (one) => finished.push(one),
    respond: { problem: () => undefined },
  });
  return { onError, finished };
}

const failure = (code?: string) => Object.assign(new Error("parser"), code === undefined ? {} : { code });

test("each way of not being a request has its status, and the connection is closed after it", async () => {
  const cases = [
    ["ERR_HTTP_REQUEST_TIMEOUT", "408 Request Timeout", "request.timeout"],
    ["HPE_HEADER_OVERFLOW", "431 Request Header Fields Too Large", "request.headers_too_large"],
    ["HPE_CHUNK_EXTENSIONS_OVERFLOW", "413 Payload Too Large", "request.body_too_large"],
    ["HPE_INVALID_METHOD", "400 Bad Request", "request.malformed"],
    [undefined, "400 Bad Request", "request.malformed"],
  ] as const;
  for (const [code, status, refusal] of cases) {
    const { socket, received } = await connection();
    const { onError, finished } = handler();
    onError(failure(code), socket);
    const text = await received;
    expect(text.startsWith(`HTTP/1.1 ${status}\r\nX-Content-Type-Options: nosniff\r\n`)).toBe(true);
    expect(text).toContain("X-Request-Id: req_1\r\n");
    const body = text.slice(text.indexOf("\r\n\r\n") + 4);
    expect(text).toContain(`Content-Length: ${body.length}\r\n`);
    expect(JSON.parse(body)).toMatchObject({ code: refusal, requestId: "req_1" });
    expect(finished).toMatchObject([{ route: "unparsed", facts: { clientAddress: "198.51.100.1" } }]);
  }
});

test("a client that is gone gets nothing", async () => {
  const { socket, received } = await connection();
  const { onError, finished } = handler();
  onError(failure("ECONNRESET"), socket);
  expect(await received).toBe("");
  onError(failure("HPE_INVALID_METHOD"), socket);
  expect(finished).toEqual([]);
});

import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { joined } from "./support/joined.ts";
import { enter, type Headers, newToken } from "./support/people.ts";
import { readOpenApi } from "./support/openapi.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** MeshCentral, Dozzle, Jenkins: a page of another site opened a WebSocket, and the browser added the user's cookie. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const { port } = server;

/** No route takes a WebSocket yet: none of them succeeds, from the console's own origin neither. */
test("no upgrade succeeds, with whatever credential and from whatever origin", async (context) => {
  const owner = await enter(port);
  const token = await newToken(port, owner, ["terminal:open"]);
  const { operations } = await readOpenApi(port);
  const known = operations.filter(({ method }) => method === "GET").map(({ path }) => path.replace("{id}", "1"));
  const paths = joined(known, [
    "/api/terminal/sessions/1/attach",
    "/api/agent/control/stream",
    "/api/agent/terminal/stream",
    "/api/ws",
    "/",
  ]);
  const own = `http://127.0.0.1:${port}`;
  const origins: Headers[] = [
    [],
    ...joinedOrigins(own).map((origin) => [["Origin", origin] as const]),
    [
      ["Origin", own],
      ["Origin", "http://evil.test"],
    ],
  ];
  const credentials: Headers[] = [[], [["Cookie", owner.cookie]], token.as];
  const requests = paths.flatMap((path) =>
    origins.flatMap((origin) =>
      credentials.map((credential) => ({ path, headers: [...handshake, ...origin, ...credential] })),
    ),
  );
  const answers = await inLanes(requests, 8, (request) => send(port, request));
  for (const [at, answer] of answers.entries()) {
    const about = `${requests[at]?.path} ${answer.status}`;
    expect([200, 400, 403, 404], about).toContain(answer.status);
    // A page is sent as a page; below /api/ nothing but a refusal comes back.
    if (requests[at]?.path.startsWith("/api/")) expect(answer.status, about).toBeGreaterThanOrEqual(400);
    expect(answer.headers.has("sec-websocket-accept"), about).toBe(false);
    expect(answer.headers.has("access-control-allow-origin"), about).toBe(false);
  }
  tried(context, `${count(paths.length, "paths")} × ${count(origins.length, "origins")} × 3 credentials`);
});

const handshake: Headers = [
  ["Connection", "Upgrade"],
  ["Upgrade", "websocket"],
  ["Sec-WebSocket-Version", "13"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ["Sec-Fetch-Mode", "websocket"],
  ["Sec-Fetch-Dest", "websocket"],
];

function joinedOrigins(own: string): readonly string[] {
  const { host, port: number } = new URL(own);
  return [
    own,
    "null",
    "",
    "http://evil.test",
    `http://evil.test:${number}`,
    `https://${host}`,
    `http://127.0.0.1`,
    `http://sub.${host}`,
    `http://${host}.evil.test`,
    `http://127.0.0.1.:${number}`,
    `HTTP://${host}`,
    `${own}/`,
    `http://evil.test#${own}`,
    `http://${host}@evil.test`,
    `http://127.0.0.1\`evil.test`,
    `http://127.0.0.1$.evil.test`,
    "file://",
    `chrome-extension://${"a".repeat(32)}`,
    `${own}, http://evil.test`,
  ];
}

import { expect, test } from "vitest";
import { spySocket, startPlanted } from "./inside/planted-server.ts";
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

/** What a browser can be made to send: an origin, or the user's cookie, or both. */
test("no page opens a socket of the program, with whatever credential and from whatever origin", async (context) => {
  const owner = await enter(port);
  const token = await newToken(port, owner, ["terminal:open"]);
  const { operations, sockets } = await readOpenApi(port);
  const known = operations.filter(({ method }) => method === "GET").map(({ path }) => path.replace("{id}", "1"));
  const paths = joined(known, [
    "/api/terminal/sessions/1/attach",
    "/api/agent/control/stream",
    "/api/agent/terminal/stream",
    "/api/ws",
    "/",
  ]);
  const subprotocols = sockets.flatMap(({ subprotocol }) => (subprotocol === undefined ? [] : [subprotocol]));
  const offered: Headers = [["Sec-WebSocket-Protocol", joined(subprotocols, ["gatehouse.agent.1"]).join(", ")]];
  const credentials: Headers[] = [[], [["Cookie", owner.cookie]], token.as];
  const requests = paths.flatMap((path) =>
    originsOf(port).flatMap((origin) =>
      credentials
        // Without an origin and without a cookie it is no page: agents ask so.
        .filter((credential) => origin.length > 0 || credential.some(([name]) => name === "Cookie"))
        .map((credential) => ({ path, headers: [...handshake, ...offered, ...origin, ...credential] })),
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
  tried(context, `${count(requests.length, "handshakes")} at ${count(paths.length, "paths")}`);
});

test("a socket of people opens for the exact origin and a good credential, one of agents for no page at all", async (context) => {
  const people = spySocket({
    path: "/api/planted/attach",
    summary: "",
    from: "browser",
    access: { kind: "signed-in", nodes: { none: "a socket of a test" } },
    maxFrame: 64,
  });
  const agents = spySocket({
    path: "/api/planted/agent",
    summary: "",
    from: "agent",
    access: { kind: "agent" },
    maxFrame: 64,
  });
  await using planted = await startPlanted({ sockets: [people, agents], authenticate: "real" });
  const owner = await enter(planted.port);
  const credentials: Headers[] = [[], [["Cookie", owner.cookie]], [["Cookie", "gatehouse=guess"]]];
  const requests = [people, agents].flatMap((row) =>
    originsOf(planted.port).flatMap((origin) =>
      credentials.map((credential) => ({ row, origin, credential, headers: [...handshake, ...origin, ...credential] })),
    ),
  );
  const own = `http://127.0.0.1:${planted.port}`;
  const answers = await inLanes(requests, 8, ({ row, headers }) =>
    send(planted.port, { path: row.spec.path, headers }),
  );
  for (const [at, { status }] of answers.entries()) {
    const { row, origin, credential } = requests[at] ?? expect.unreachable();
    const isOwnPage = origin.length === 1 && origin[0]?.[1] === own && credential[0]?.[1] === owner.cookie;
    const isAgent = origin.length === 0 && credential.length === 0;
    const mayOpen = row === people ? isOwnPage : isAgent;
    expect([row.spec.path, origin, status === 101], String(status)).toEqual([row.spec.path, origin, mayOpen]);
  }
  expect([people.opened(), agents.opened()]).toEqual([1, 1]);
  tried(context, `${count(requests.length, "handshakes")}, of which 2 may succeed`);
});

const handshake: Headers = [
  ["Connection", "Upgrade"],
  ["Upgrade", "websocket"],
  ["Sec-WebSocket-Version", "13"],
  ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
  ["Sec-Fetch-Mode", "websocket"],
  ["Sec-Fetch-Dest", "websocket"],
];

/** None, every one that could be taken for ours, and two at once. */
function originsOf(own: number): readonly Headers[] {
  const origins = joinedOrigins(`http://127.0.0.1:${own}`);
  const twice: Headers = [
    ["Origin", `http://127.0.0.1:${own}`],
    ["Origin", "http://evil.test"],
  ];
  return [[], ...origins.map((origin): Headers => [["Origin", origin]]), twice];
}

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
    // A page on another port of the same host: the browser sends it the cookie, SameSite or not.
    `http://127.0.0.1:${Number(number) + 1}`,
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

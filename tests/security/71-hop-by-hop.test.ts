import { expect, test } from "vitest";
import { newClient } from "./support/new-client.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Rancher: `Connection: X-Forwarded-For` made the proxy's own, privileged address stand where the client's had been. */
const token = "m".repeat(40);
const server = await sharedServer({ env: { SERVICE_METRICS_TOKEN: token, SERVICE_TRUST_PROXY: "1" } });

const names = joined(
  [
    "X-Forwarded-For",
    "X-Real-IP",
    "CF-Connecting-IP",
    "Authorization",
    "Cookie",
    "Host",
    "Content-Type",
    "Content-Length",
  ],
  [
    "Content-Encoding",
    "Transfer-Encoding",
    "Origin",
    "Sec-Fetch-Site",
    "X-Forwarded-Proto",
    "TE",
    "Trailer",
    "Upgrade",
    "Keep-Alive",
  ],
);
/** Each name alone and among others, in every case and place. */
const connections = [
  ...names.flatMap((name) => [`close, ${name}`, `${name.toLowerCase()}, close`, `CLOSE , ${name.toUpperCase()}`]),
  `close, ${names.join(", ")}`,
  "close, X-Forwarded-For, Authorization",
  "close,,,X-Real-IP",
];

/** Requests whose outcome hangs on a header. */
const requests: Readonly<Record<string, () => RequestOptions>> = {
  "the right token": () => ({ path: "/api/metrics", headers: [["Authorization", `Bearer ${token}`]] }),
  "a wrong token": () => ({ path: "/api/metrics", headers: [["Authorization", "Bearer wrong"]] }),
  "a forged cookie": () => ({ path: "/api/events", headers: [["Cookie", "gatehouse=x"]] }),
  "a foreign host": () => ({ path: "/api/version", headers: [["Host", "evil.test"]] }),
  "a good report": () => ({ ...report, headers: [newClient(), ["Content-Type", "application/json"]], body: "{}" }),
  "a report of another type": () => ({ ...report, headers: [newClient(), ["Content-Type", "text/plain"]], body: "{}" }),
  "a compressed report": () => ({
    ...report,
    headers: [newClient(), ["Content-Type", "application/json"], ["Content-Encoding", "gzip"]],
    body: "{}",
  }),
};
const report = { method: "POST", path: "/api/csp-reports" } as const;

test("naming a header in Connection does not make it disappear", async (context) => {
  const expected: Record<string, number> = {};
  for (const [name, make] of Object.entries(requests)) expected[name] = (await send(server.port, make())).status;
  expect(Object.values(expected)).toEqual([200, 401, 401, 421, 204, 415, 415]);
  for (const connection of connections) {
    for (const [name, make] of Object.entries(requests)) {
      const { status } = await send(server.port, withConnection(make(), connection));
      // A request whose framing is in doubt may be refused as a whole; it never gets more than it would have got.
      if (status !== 400) expect({ name, connection, status }).toEqual({ name, connection, status: expected[name] });
    }
  }
  tried(context, count(connections.length * Object.keys(expected).length, "requests"));
});

test("the client's address stays the one the proxy wrote", async (context) => {
  const sources = ["X-Real-IP", "CF-Connecting-IP", "X-Forwarded-For"] as const;
  for (const source of sources) {
    for (const connection of connections) {
      const request = withConnection({ path: "/api/version", headers: [[source, "192.0.2.55"]] }, connection);
      const { headers } = await send(server.port, request);
      const requestId = headers.get("x-request-id");
      expect(requestId, connection).toBeDefined();
      expect((await server.lineAbout(requestId ?? ""))["address"], `${source} with ${connection}`).toBe("192.0.2.55");
    }
  }
  tried(context, `${count(connections.length * sources.length, "addresses")} in the log`);
});

function withConnection(request: RequestOptions, connection: string): RequestOptions {
  return { ...request, headers: [...(request.headers ?? []), ["Connection", connection]] };
}

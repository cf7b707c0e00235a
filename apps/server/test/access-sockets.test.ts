import type { BrowserSocketSpec, SocketSpec } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { contractSockets } from "../../../tests/support/contract-rows.ts";
import type { SocketRoute } from "../src/platform/route/index.ts";
import { allCases, type Case, ownNode } from "./access-cases.ts";
import { type AuthServer, startAuthServer } from "./auth-server.ts";
import { agentSpec, handshake, said, tryHandshake } from "./planted-sockets.ts";
import { startServer } from "./start-server.ts";

const ofNode = z.strictObject({ id: z.string() });
const summary = "";
const maxFrame = 64;

/** Sockets of people as terminals will have them, one for each thing that a row can ask for. */
const browserSpecs: readonly BrowserSocketSpec[] = [
  {
    path: "/api/planted/attach",
    access: { kind: "scope", scope: "terminal:open", nodes: "every", stepUp: "always" },
  },
  {
    path: "/api/planted/nodes/:id/attach",
    access: { kind: "scope", scope: "node:read", nodes: { param: "id" }, stepUp: "sessions" },
    params: ofNode,
  },
  { path: "/api/planted/filtered/:id", access: { kind: "signed-in", nodes: "filtered" }, params: ofNode },
].map((row) => ({ ...row, summary, maxFrame, from: "browser" }) as BrowserSocketSpec);

/** The whole policy for sockets in one place: the verdict on a visitor, by its status and code. */
function verdict(spec: SocketSpec, { is, scopes, visitor, isLimited }: Case): string {
  const isForeign = is === "session on a foreign page";
  // No page and no cookie ever reaches an agent's socket; a token says nothing there, the hello does.
  if (spec.from === "agent") return visitor.cookie !== undefined || isForeign ? "403 auth.cross_site" : "101";
  const { access } = spec;
  if (isForeign) return "403 auth.cross_site";
  if (is === "nobody") return "401 auth.credential_required";
  if (is === "refused" || is === "metrics token") return "401 auth.credential_refused";
  if (access.kind === "scope" && !scopes.has(access.scope)) return "403 auth.scope_missing";
  if (isLimited && access.nodes === "every") return "403 auth.node_limited";
  if (access.stepUp === "always" && is === "token") return "403 auth.session_required";
  return access.stepUp !== undefined && is === "stale session" ? "403 auth.step_up_required" : "101";
}

describe("every socket, with every scope and every kind of credential", () => {
  test("opens for whom the table says and for nobody else", async () => {
    const opened = new Set<string>();
    const rowOf = (spec: SocketSpec): SocketRoute => ({
      spec,
      ...(spec.access.kind !== "agent" &&
        spec.access.nodes === "filtered" && { admit: ({ nodes }) => nodes?.answer(() => undefined) }),
      open: (connection) => {
        opened.add(connection.facts.requestId);
        connection.admitted();
        connection.cut();
      },
    });
    const specs = [...contractSockets, ...browserSpecs, agentSpec];
    const server = await startAuthServer({ withoutRates: true, moreSockets: specs.map(rowOf) });
    const cases = await allCases(server);
    const wrong: string[] = [];
    let calls = 0;
    const tryOut = async (spec: SocketSpec, one: Case) => {
      const answer = await tryHandshake(server.port, requestOf(server, spec, one));
      calls += 1;
      const didOpen = opened.has(answer.headers.get("x-request-id") ?? "");
      const found = `${said(answer)}${didOpen ? " opened" : ""}`;
      const says = verdict(spec, one);
      const expected = says === "101" ? "101 opened" : says;
      if (found !== expected) wrong.push(`${spec.path} as ${one.name}: expected ${expected}, found ${found}`);
    };
    for (const spec of specs) {
      const rest = [...cases];
      while (rest.length > 0) await Promise.all(rest.splice(0, 16).map((one) => tryOut(spec, one)));
    }
    expect(wrong).toEqual([]);
    expect(calls).toBe(specs.length * cases.length);
    expect(opened.size).toBeGreaterThan(100);
  });

  test("is a row of the contract, and described", async () => {
    const server = await startServer();
    const { paths } = (await (await server.get("/api/openapi.json")).json()) as { paths: Record<string, object> };
    const served = Object.keys(paths).filter((path) => JSON.stringify(paths[path]).includes('"x-websocket"'));
    const inContract = contractSockets.map(({ path }) => path.replaceAll(/:([a-zA-Z]+)/g, "{$1}"));
    expect(inContract).toEqual(expect.arrayContaining(served));
    expect(inContract).toContain("/api/agent/control/stream");
  });
});

function requestOf(server: AuthServer, spec: SocketSpec, { visitor, is }: Case): string {
  const host = `127.0.0.1:${server.port}`;
  const isForeign = is === "session on a foreign page";
  const own = spec.from === "browser" ? `http://${host}` : undefined;
  return handshake(spec.path.replace(":id", ownNode), {
    Host: host,
    Origin: isForeign ? `http://127.0.0.1:${server.port + 1}` : own,
    Cookie: visitor.cookie,
    Authorization: visitor.bearer === undefined ? undefined : `Bearer ${visitor.bearer}`,
    "Sec-WebSocket-Protocol": spec.subprotocol,
  });
}

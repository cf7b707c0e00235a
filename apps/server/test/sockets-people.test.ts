import { fault } from "@gatehouse/contract";
import { describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { NodeFilter, type Principal } from "../src/platform/route/index.ts";
import {
  browserSpec,
  codeAtEnd,
  echoed,
  handshake,
  opened,
  plantedSocket,
  said,
  tryHandshake,
} from "./planted-sockets.ts";
import { startServer, testIdentity } from "./start-server.ts";

describe("a socket of people", () => {
  const own = { Origin: "http://localhost", "Sec-WebSocket-Protocol": undefined };
  const at = (node: string) => browserSpec.path.replace(":id", node);
  const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

  async function startForPeople(more: Parameters<typeof plantedSocket>[1] = {}, spec = browserSpec) {
    const planted = plantedSocket(spec, more);
    const identity = testIdentity({ opener: ["terminal:open"], viewer: ["node:read"] });
    const server = await startServer({
      config: { publicUrl: new URL("https://gatehouse.example"), accessLog: true },
      parts: { ...identity.parts, moreSockets: [planted.row] },
    });
    const ask = (path: string, other: Record<string, string | undefined>) =>
      tryHandshake(server.port, handshake(path, other));
    return { planted, identity, server, ask };
  }

  test("opens for a page of the exact origin and for no other", async () => {
    const { planted, ask } = await startForPeople();
    const good = { ...bearer("opener"), "Sec-WebSocket-Protocol": undefined };
    const others = [
      undefined,
      "",
      "null",
      "http://gatehouse.example",
      "https://gatehouse.example:8443",
      "https://gatehouse.example/",
      "https://sub.gatehouse.example",
      "https://gatehouse.example.evil.example",
      "HTTPS://gatehouse.example",
      "http://localhost:8479",
      "https://localhost",
      "http://127.0.0.1",
    ];
    for (const origin of others) {
      const answer = await ask(at("n1"), { ...good, Origin: origin });
      expect([origin, said(answer)]).toEqual([origin, "403 auth.cross_site"]);
    }
    // Only a browser could say so, and it does not decide: no browser says it of a socket reliably.
    const claimed = { ...good, Origin: "https://evil.example", "Sec-Fetch-Site": "same-origin" };
    expect(said(await ask(at("n1"), claimed))).toBe("403 auth.cross_site");
    expect(planted.opened).toEqual([]);
    const published = { ...good, Host: "gatehouse.example", Origin: "https://gatehouse.example" };
    expect(said(await ask(at("n1"), published))).toBe("101");
    expect(said(await ask(at("n1"), { ...good, Origin: "http://localhost" })), "the console on loopback").toBe("101");
    expect(planted.calls.map(({ principal, params }) => [principal?.id, params])).toEqual([
      ["usr_opener", { id: "n1" }],
      ["usr_opener", { id: "n1" }],
    ]);
  });

  test("opens for a good credential with the row's scope, and tells nobody else more than a route would", async () => {
    const { planted, ask } = await startForPeople();
    expect(said(await ask(at("n1"), own))).toBe("401 auth.credential_required");
    expect(said(await ask(at("n1"), { ...own, ...bearer("nobody") }))).toBe("401 auth.credential_refused");
    expect(said(await ask(at("n1"), { ...own, ...bearer("viewer") }))).toBe("403 auth.scope_missing");
    expect(said(await ask(`${at("n1")}?token=x`, { ...own, ...bearer("opener") }))).toBe("400 request.malformed");
    expect(planted.opened).toEqual([]);
  });

  test("closes with 1008 when the credential goes, and hears nothing after that", async () => {
    const { planted, identity, server } = await startForPeople();
    const client = await opened(
      new WebSocket(`ws://127.0.0.1:${server.port}${at("n1")}`, {
        headers: { ...bearer("opener"), Origin: `http://127.0.0.1:${server.port}` },
      }),
    );
    expect(await echoed(client, "there")).toBe("there");
    identity.revoke("opener");
    expect(await codeAtEnd(client)).toBe(1_008);
    await expect.poll(() => planted.ends).toEqual([1_008]);
    expect(identity.watchers("opener")).toBe(0);
  });

  test("is limited by the rate of its caller, as a request is", async () => {
    const planted = plantedSocket(browserSpec);
    const server = await startServer({
      config: { apiRate: { perSecond: 0.001, burst: 2 } },
      parts: { ...testIdentity({}).parts, moreSockets: [planted.row] },
    });
    const statuses: string[] = [];
    for (let n = 0; n < 3; n += 1) statuses.push(said(await tryHandshake(server.port, handshake(at("n1"), own))));
    expect(statuses).toEqual([
      "401 auth.credential_required",
      "401 auth.credential_required",
      "429 request.rate_limited",
    ]);
  });

  test("is refused by its feature with a problem, before the protocol changes", async () => {
    const { planted, ask } = await startForPeople({
      admit: () => Promise.reject(fault("session.unknown", "there is no such terminal")),
    });
    expect(said(await ask(at("n1"), { ...own, ...bearer("opener") }))).toBe("404 session.unknown");
    expect(planted.opened).toEqual([]);
  });

  test("that filters by node opens through its filter, and through nothing else", async () => {
    const access = { ...browserSpec.access, nodes: "filtered" } as const;
    const spec = { ...browserSpec, access };
    const forgets = await startForPeople({ admit: () => "n1" }, spec);
    expect(said(await forgets.ask(at("n1"), { ...own, ...bearer("opener") }))).toBe("500 server.internal");
    expect(forgets.server.logLines.join("")).toContain("that no filter made");
    const other = await startForPeople({ admit: () => new NodeFilter(undefined).answer(() => "n1") }, spec);
    expect(said(await other.ask(at("n1"), { ...own, ...bearer("opener") }))).toBe("500 server.internal");
    const filters = await startForPeople({ admit: ({ nodes }) => nodes?.answer(() => "n1") }, spec);
    expect(said(await filters.ask(at("n1"), { ...own, ...bearer("opener") }))).toBe("101");
  });

  test("asks for a proof and judges the node as a route does", async () => {
    const principal = (more: Partial<Principal>): Principal => ({
      id: "usr_1",
      credential: { kind: "session", id: "ses_1" },
      scopes: new Set(["terminal:open"] as const),
      authenticatedAt: Date.now(),
      ...more,
    });
    const found: Record<string, { principal: Principal; nodes?: ReadonlySet<string> }> = {
      fresh: { principal: principal({}) },
      stale: { principal: principal({ authenticatedAt: 0 }) },
      limited: { principal: principal({}), nodes: new Set(["n2"]) },
    };
    const planted = plantedSocket(browserSpec);
    const server = await startServer({
      parts: {
        authenticate: ({ credential }) => found[credential.kind === "cookie" ? credential.value : ""],
        moreSockets: [planted.row],
      },
    });
    const ask = async (node: string, cookie: string) =>
      said(await tryHandshake(server.port, handshake(at(node), { ...own, Cookie: `gatehouse=${cookie}` })));
    expect(await ask("n1", "fresh")).toBe("101");
    expect(await ask("n1", "stale")).toBe("403 auth.step_up_required");
    expect(await ask("n1", "limited")).toBe("403 auth.node_limited");
    expect(await ask("n2", "limited")).toBe("101");
  });
});

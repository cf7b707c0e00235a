import { scopeNames } from "@gatehouse/contract";
import type { RouteSpec } from "@gatehouse/contract/routes";
import { recordKinds } from "@gatehouse/contract/records";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { contractRows } from "../../../tests/support/contract-rows.ts";
import { buildRouteTable } from "../src/edge/route-table.ts";
import type { Route } from "../src/platform/route/index.ts";
import { allCases, type Case, metricsToken, ownNode } from "./access-cases.ts";
import { foreignNode, plantedRoutes, type Sample, samples } from "./access-samples.ts";
import { type AuthServer, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { type Answered } from "./visitor.ts";

/** The whole policy in one place: the verdict on a visitor at a row, by its status and code. */
function verdict(spec: RouteSpec, { is, scopes, visitor, isLimited }: Case): string {
  const { access } = spec;
  if (access.kind === "public") return isForeign(spec, is) ? "403 auth.cross_site" : "in";
  if (access.kind === "metrics-token") {
    if (is === "metrics token") return "in";
    return visitor.bearer === undefined ? "401 auth.credential_required" : "401 auth.credential_refused";
  }
  if (is === "nobody") return "401 auth.credential_required";
  if (is === "refused" || is === "metrics token") return "401 auth.credential_refused";
  if (isForeign(spec, is)) return "403 auth.cross_site";
  if (access.kind === "scope" && !scopes.has(access.scope)) return "403 auth.scope_missing";
  // The nodes that samples name are the limited credentials' own.
  if (isLimited && access.nodes === "every") return "403 auth.node_limited";
  // No sample only lowers power.
  if (access.stepUp === "always" && is === "token") return "403 auth.session_required";
  return access.stepUp !== undefined && is !== "session" && is !== "token" ? "403 auth.step_up_required" : "in";
}

function isForeign(spec: RouteSpec, is: Case["is"]): boolean {
  return is === "session on a foreign page" && spec.method !== "GET" && spec.anySite === undefined;
}

describe("every route, with every scope and every kind of credential", () => {
  test("runs its handler for whom the table says and for nobody else, and what is refused leaves no trace", async () => {
    const handled = new Set<string>();
    const server = await startAuthServer({
      withoutRates: true,
      metricsToken,
      moreRoutes: plantedRoutes,
      onHandled: (id) => handled.add(id),
    });
    const cases = await allCases(server);
    const specs = server.table.routes.map(({ spec }) => spec).toSorted((a, b) => rank(a) - rank(b));
    const wrong: string[] = [];
    let calls = 0;
    const tryOut = async (spec: RouteSpec, one: Case) => {
      const says = verdict(spec, one);
      const answer = await ask(spec, one, { call: (calls += 1), isIn: says === "in" });
      const ran = handled.has(answer.headers.get("x-request-id") ?? "");
      const found = `${ran ? "in: " : ""}${said(answer)}`;
      const expected = says === "in" ? `in: ${given(spec, one)}` : says;
      if (found !== expected) wrong.push(`${nameOf(spec)} as ${one.name}: expected ${expected}, found ${found}`);
    };
    const tryAll = async (isIn: boolean) => {
      for (const spec of specs) {
        const chosen = cases.filter((one) => (verdict(spec, one) === "in") === isIn);
        while (chosen.length > 0) await Promise.all(chosen.splice(0, 16).map((one) => tryOut(spec, one)));
      }
      expect(wrong).toEqual([]);
    };
    const before = await stateOf(server);
    await tryAll(false);
    expect(await stateOf(server)).toBe(before);
    await tryAll(true);
    expect(calls).toBe(specs.length * cases.length);
    expect(calls).toBeGreaterThan(4_000);
  });

  test("is every row of the contract, and each has a request to try it with", async () => {
    const server = await startAuthServer();
    const served = server.table.routes.map(({ spec }) => nameOf(spec)).sort();
    const planted = plantedRoutes.map(({ spec }) => nameOf(spec));
    expect(served).toEqual(contractRows.map(nameOf).sort());
    expect(Object.keys(samples).sort()).toEqual([...served, ...planted].sort());
  });

  test("a GET changes nothing, whoever asks", async () => {
    const server = await startAuthServer({ withoutRates: true });
    const owner = await server.visitor().signIn();
    const { visitor: token } = await tokenVisitor(server, owner, { scopes: scopeNames });
    const before = await stateOf(server);
    for (const { spec } of server.table.routes) {
      if (spec.method !== "GET") continue;
      for (const visitor of [owner, token, server.visitor()]) {
        for (const method of ["GET", "HEAD"]) await visitor.call(method, pathOf(spec));
      }
    }
    await server.tick();
    expect(await stateOf(server)).toBe(before);
  });
});

describe("a token that is limited to one node", () => {
  const rowOf = (more: Pick<RouteSpec, "path" | "access">) =>
    ({ method: "GET", summary: "", responses: { 200: z.array(z.string()) }, ...more }) as const;

  async function start(moreRoutes: readonly Route[] = plantedRoutes) {
    const server = await startAuthServer({ moreRoutes });
    const owner = await server.visitor().signIn();
    const scopes = ["node:read", "node:admin"];
    const { visitor } = await tokenVisitor(server, owner, { scopes, nodes: [ownNode] });
    return { server, owner, visitor };
  }

  test("sees of a list its own node, where others see every node", async () => {
    const { owner, visitor } = await start();
    expect((await visitor.call("GET", "/api/planted/nodes")).body).toEqual({ items: [ownNode] });
    expect((await owner.call("GET", "/api/planted/nodes")).body).toEqual({ items: [ownNode, foreignNode] });
  });

  test("is refused at another node, whether or not it exists, and at what concerns them all", async () => {
    const { owner, visitor } = await start();
    expect((await visitor.call("GET", `/api/planted/nodes/${ownNode}`)).body).toEqual({ id: ownNode });
    for (const id of [foreignNode, "x", ownNode.toUpperCase(), `${ownNode}0`]) {
      expect(said(await visitor.call("GET", `/api/planted/nodes/${id}`)), id).toBe("403 auth.node_limited");
    }
    expect(said(await owner.call("GET", `/api/planted/nodes/${foreignNode}`))).toBe("200");
    expect(said(await visitor.call("POST", "/api/planted/nodes", { body: {} }))).toBe("403 auth.node_limited");
    expect(
      said(await visitor.call("POST", "/api/planted/nodes", { body: { malformed: true } })),
      "before its body",
    ).toBe("403 auth.node_limited");
  });

  test("gets nothing from a handler that came past the types and forgot to filter; nor does anybody", async () => {
    const access = { kind: "scope", scope: "node:read", nodes: "filtered" } as const;
    const cheats: readonly (() => unknown)[] = [
      () => [ownNode, foreignNode],
      () => Promise.resolve([ownNode, foreignNode]),
      () => ({ dataFor: () => [foreignNode] }),
    ];
    const rows = cheats.map((handle, at) => ({ spec: rowOf({ path: `/api/planted/cheat${at}`, access }), handle }));
    const { server, owner, visitor } = await start(rows);
    for (const { spec } of rows) {
      for (const one of [owner, visitor]) {
        const answer = await one.call("GET", spec.path);
        expect(said(answer)).toBe("500 server.internal");
        expect(JSON.stringify(answer.body)).not.toContain("node_");
      }
    }
    expect(server.logLines.join("")).toContain("that no filter made");
  });

  test("cannot be checked against a parameter that the row does not have: such a row stops the start", () => {
    const wrong = rowOf({ path: "/api/planted", access: { kind: "signed-in", nodes: { param: "id" } } });
    expect(() => buildRouteTable([{ spec: wrong, handle: () => [] }])).toThrow("no path parameter id");
  });
});

function nameOf({ method, path }: RouteSpec): string {
  return `${method} ${path}`;
}

/** What signs its own caller out comes last. */
function rank(spec: RouteSpec): number {
  return nameOf(spec) === "POST /api/auth/logout" ? 1 : 0;
}

function sampleOf(spec: RouteSpec): Sample {
  const sample = samples[nameOf(spec)];
  if (sample === undefined) throw new Error(`${nameOf(spec)} has no sample`);
  return sample;
}

function given(spec: RouteSpec, one: Case): string {
  const { gives } = sampleOf(spec);
  return typeof gives === "string" ? gives : gives(one);
}

function said({ status, code }: Answered): string {
  return code === undefined ? String(status) : `${status} ${code}`;
}

function ask(spec: RouteSpec, { visitor, headers }: Case, how: { call: number; isIn: boolean }): Promise<Answered> {
  const sample = sampleOf(spec);
  const body = typeof sample.body === "function" ? sample.body(how.call) : sample.body;
  const method = how.isIn ? sample.method : undefined;
  return visitor.call(method ?? spec.method, pathOf(spec), {
    ...(body !== undefined && { body }),
    ...(sample.bytes !== undefined && { bytes: Buffer.from(sample.bytes) }),
    headers: { ...sample.headers, ...headers },
  });
}

function pathOf(spec: RouteSpec): string {
  const { id = "", action = "", arch = "", number = "", query = "" } = sampleOf(spec);
  const path = spec.path
    .replace(":id", id)
    .replace(":action", action)
    .replace(":arch", arch)
    .replace(":number", number);
  return path + query;
}

/** Every record and the end of the chain, which every change moves. */
async function stateOf(server: AuthServer): Promise<string> {
  const records = await Promise.all(recordKinds.map((kind) => server.store.list(kind)));
  return JSON.stringify([await server.store.head(), records]);
}

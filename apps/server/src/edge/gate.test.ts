import { isFault, type Scope } from "@gatehouse/contract";
import type { Access, NodeReach, Proof, RouteSpec, StepUp } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import type { Authenticate, FoundPrincipal } from "../platform/route/index.ts";
import type { Presented } from "./credential.ts";
import { openGate, requireProofOfBody, type Visit } from "./gate.ts";
import { edgeLimits } from "./limits.ts";

const now = 1_700_000_000_000;

function found(kind: "session" | "token", nodes?: ReadonlySet<string>, authenticatedAt = now): FoundPrincipal {
  const principal = {
    id: "usr_1",
    credential: { kind, id: "c1" },
    scopes: new Set<Scope>(["node:read"]),
    authenticatedAt,
  };
  return nodes === undefined ? { principal } : { principal, nodes };
}

const publicAccess: Access = { kind: "public", because: "a test" };

function spec(access: Access, more: Partial<RouteSpec> = {}): RouteSpec {
  return { method: "GET", path: "/api/x", summary: "", access, responses: { 204: null }, ...more };
}

function visit(presented: Presented, headers: Visit["headers"] = {}, params: unknown = {}): Visit {
  const facts = { requestId: "req_1", method: "GET", path: "/api/x", clientAddress: "198.51.100.1", now };
  return {
    facts,
    headers: { host: "gate.example.com", ...headers },
    presented,
    admission: { wait: 0, key: "k", isKnown: false },
    params,
  };
}

function gateWith(authenticate: Authenticate, metricsToken?: string) {
  const recorded: boolean[] = [];
  const limit = { recordResult: (_: unknown, isGood: boolean) => void recorded.push(isGood) };
  const gate = openGate({ authenticate, limit, metricsToken, publicOrigin: "https://gate.example.com" });
  return { gate, recorded };
}

async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
    return "passed";
  } catch (error) {
    return isFault(error) ? error.code : String(error);
  }
}

const token = { kind: "bearer", token: "t" } as const;
const cookie = { kind: "cookie", value: "c" } as const;
const never: Authenticate = () => {
  throw new Error("must not be asked");
};

describe("a route for everybody", () => {
  test("asks for no credential and looks none up", async () => {
    const { gate } = gateWith(never);
    expect(await codeOf(() => gate(spec(publicAccess), visit(undefined)))).toBe("passed");
    expect(await codeOf(() => gate(spec(publicAccess), visit(token)))).toBe("passed");
    expect(gate(spec(publicAccess), visit({ kind: "malformed" }))).toBeUndefined();
  });

  test("takes a change from a browser only from the dashboard's own page", async () => {
    const { gate } = gateWith(never);
    const post = spec(publicAccess, { method: "POST" });
    expect(await codeOf(() => gate(post, visit(undefined)))).toBe("passed");
    expect(await codeOf(() => gate(post, visit(undefined, { "sec-fetch-site": "same-origin" })))).toBe("passed");
    expect(await codeOf(() => gate(post, visit(undefined, { "sec-fetch-site": "cross-site" })))).toBe(
      "auth.cross_site",
    );
    expect(await codeOf(() => gate(post, visit(undefined, { origin: "https://evil.example" })))).toBe(
      "auth.cross_site",
    );
    expect(await codeOf(() => gate(post, visit(undefined, { "sec-fetch-site": "same-origin, same-origin" })))).toBe(
      "auth.cross_site",
    );
    const open = spec(publicAccess, { method: "POST", anySite: { because: "a test" } });
    expect(await codeOf(() => gate(open, visit(undefined, { origin: "https://evil.example" })))).toBe("passed");
  });
});

describe("the metrics", () => {
  const metrics = spec({ kind: "metrics-token" });

  test("are refused to everybody while no token is configured", async () => {
    const { gate } = gateWith(never);
    expect(await codeOf(() => gate(metrics, visit(token)))).toBe("server.metrics_disabled");
  });

  test("are given for exactly that token", async () => {
    const { gate, recorded } = gateWith(never, "t");
    expect(await codeOf(() => gate(metrics, visit(token)))).toBe("passed");
    expect(await codeOf(() => gate(metrics, visit({ kind: "bearer", token: "tt" })))).toBe("auth.credential_refused");
    expect(await codeOf(() => gate(metrics, visit({ kind: "bearer", token: "u" })))).toBe("auth.credential_refused");
    expect(await codeOf(() => gate(metrics, visit(undefined)))).toBe("auth.credential_required");
    expect(await codeOf(() => gate(metrics, visit({ kind: "cookie", value: "t" })))).toBe("auth.credential_required");
    expect(await codeOf(() => gate(metrics, visit({ kind: "malformed" })))).toBe("auth.credential_required");
    expect(recorded).toEqual([true, false, false]);
  });
});

describe("a route that needs a credential", () => {
  const signedIn = spec({ kind: "signed-in", nodes: "every" });

  test("refuses a visit without one, before anything is looked up", async () => {
    const { gate } = gateWith(never);
    expect(await codeOf(() => gate(signedIn, visit(undefined)))).toBe("auth.credential_required");
  });

  test("refuses a malformed one without looking it up", async () => {
    const { gate, recorded } = gateWith(never);
    expect(await codeOf(() => gate(signedIn, visit({ kind: "malformed" })))).toBe("auth.credential_refused");
    expect(recorded).toEqual([false]);
  });

  test("refuses one that nobody owns, looked up at once or later", async () => {
    for (const answer of [undefined, Promise.resolve(undefined)]) {
      const { gate, recorded } = gateWith(() => answer);
      expect(await codeOf(() => gate(signedIn, visit(token)))).toBe("auth.credential_refused");
      expect(recorded).toEqual([false]);
    }
  });

  test("lets its owner in, looked up at once or later", async () => {
    const owner = found("token");
    for (const answer of [owner, Promise.resolve(owner)]) {
      const { gate, recorded } = gateWith(() => answer);
      expect(await gate(signedIn, visit(token))).toEqual({ ...owner, nodes: undefined });
      expect(recorded).toEqual([true]);
    }
  });

  test("lets nobody in when the look-up fails", async () => {
    const failures: Authenticate[] = [
      () => {
        throw new Error("store is gone");
      },
      () => Promise.reject(new Error("store is gone")),
    ];
    for (const failing of failures) {
      const { gate, recorded } = gateWith(failing);
      expect(await codeOf(() => gate(signedIn, visit(token)))).toBe("Error: store is gone");
      expect(recorded).toEqual([]);
    }
  });

  test("hands the look-up the facts of the request", () => {
    let seen: unknown;
    const { gate } = gateWith((facts) => {
      seen = facts;
      return found("token");
    });
    void gate(signedIn, visit(token));
    expect(seen).toMatchObject({ credential: token, clientAddress: "198.51.100.1", requestId: "req_1", now });
  });
});

describe("a route that needs a scope", () => {
  test("refuses a credential that lacks it, and names it", async () => {
    const { gate } = gateWith(() => found("token"));
    expect(await codeOf(() => gate(spec({ kind: "scope", scope: "node:read", nodes: "every" }), visit(token)))).toBe(
      "passed",
    );
    const refusal = await Promise.resolve()
      .then(() => gate(spec({ kind: "scope", scope: "plugin:admin", nodes: "every" }), visit(token)))
      .catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code: "auth.scope_missing", fields: { scope: "plugin:admin" } });
  });
});

describe("a change with a session cookie", () => {
  const change = spec({ kind: "signed-in", nodes: "every" }, { method: "DELETE" });

  test("must come from the dashboard's own page; reading need not", async () => {
    const { gate } = gateWith(() => found("session"));
    expect(await codeOf(() => gate(change, visit(cookie, { "sec-fetch-site": "same-origin" })))).toBe("passed");
    expect(await codeOf(() => gate(change, visit(cookie, { origin: "https://gate.example.com" })))).toBe("passed");
    expect(await codeOf(() => gate(change, visit(cookie, { "sec-fetch-site": "same-site" })))).toBe("auth.cross_site");
    expect(await codeOf(() => gate(change, visit(cookie)))).toBe("auth.cross_site");
    expect(await codeOf(() => gate(spec({ kind: "signed-in", nodes: "every" }), visit(cookie)))).toBe("passed");
  });

  test("of a program with a token needs no origin", async () => {
    const { gate } = gateWith(() => found("token"));
    expect(await codeOf(() => gate(change, visit(token)))).toBe("passed");
  });
});

describe("a route that needs a fresh sign-in", () => {
  const row = (more: Proof) => spec({ kind: "scope", scope: "node:read", nodes: "every", ...more }, { body: z.json() });
  const signedInAt = (at: number) => found("session", undefined, at);
  const stale = signedInAt(now - edgeLimits.stepUpMs - 1);
  const judge = (who: FoundPrincipal, stepUp: StepUp = "always") =>
    codeOf(() => gateWith(() => who).gate(row({ stepUp }), visit(cookie)));

  test("takes a session of the last five minutes only", async () => {
    for (const stepUp of ["always", "sessions"] as const) {
      expect(await judge(found("session"), stepUp)).toBe("passed");
      expect(await judge(signedInAt(now - edgeLimits.stepUpMs), stepUp)).toBe("passed");
      expect(await judge(stale, stepUp)).toBe("auth.step_up_required");
      expect(await judge(signedInAt(now + 5_000), stepUp)).toBe("passed");
      for (const authenticatedAt of [now + 5_001, Number.NaN, Number.POSITIVE_INFINITY, 0]) {
        expect(await judge(signedInAt(authenticatedAt), stepUp)).toBe("auth.step_up_required");
      }
    }
  });

  test("takes a token, however old, where it asks only sessions, and never where it always asks", async () => {
    for (const token of [found("token"), found("token", undefined, 0)]) {
      expect(await judge(token, "sessions")).toBe("passed");
      expect(await judge(token, "always")).toBe("auth.session_required");
    }
  });

  test("lets everybody to the body where some bodies need no proof, and takes only those without one", async () => {
    const lowers = { says: "less", body: z.strictObject({ less: z.literal(true) }) };
    for (const stepUp of ["always", "sessions"] as const) {
      const asked = row({ stepUp, lowers });
      const withBody = (who: FoundPrincipal, body: unknown) =>
        codeOf(async () => {
          const caller = await gateWith(() => who).gate(asked, visit(cookie));
          requireProofOfBody(asked, { body, caller, now });
        });
      for (const who of [found("session"), stale, found("token")]) {
        expect(await withBody(who, { less: true })).toBe("passed");
      }
      for (const body of [
        {},
        { less: false },
        { less: "true" },
        { less: true, more: 1 },
        null,
        undefined,
        [],
        "less",
      ]) {
        expect(await withBody(found("session"), body)).toBe("passed");
        expect(await withBody(stale, body)).toBe("auth.step_up_required");
        expect(await withBody(found("token"), body)).toBe(stepUp === "always" ? "auth.session_required" : "passed");
      }
    }
  });

  test("asks the body of no other row", () => {
    const call = { body: {}, caller: undefined, now };
    for (const access of [
      publicAccess,
      { kind: "metrics-token" } as const,
      row({}).access,
      row({ stepUp: "always" }).access,
    ]) {
      expect(() => requireProofOfBody(spec(access), call)).not.toThrow();
    }
    const lowers = { says: "less", body: z.strictObject({}) };
    const reached = () => requireProofOfBody(row({ stepUp: "always", lowers }), { ...call, body: 1 });
    expect(reached).toThrow("reached by nobody");
  });
});

describe("a credential that is limited to some nodes", () => {
  const own = "node_1";
  const limited = found("token", new Set([own]));
  const row = (nodes: NodeReach, more: Partial<RouteSpec> = {}) =>
    spec({ kind: "scope", scope: "node:read", nodes }, more);
  const enter = (asked: RouteSpec, params?: unknown, who = limited) =>
    Promise.resolve(gateWith(() => who).gate(asked, visit(token, {}, params)));

  test("is refused where every node is concerned; one without a limit is not", async () => {
    expect(await codeOf(() => enter(row("every")))).toBe("auth.node_limited");
    expect(await codeOf(() => enter(row("every"), {}, found("token")))).toBe("passed");
  });

  test("is let in to its own node and to no other", async () => {
    const byId = row({ param: "id" }, { params: z.strictObject({ id: z.string() }) });
    expect(await codeOf(() => enter(byId, { id: own }))).toBe("passed");
    for (const params of [{ id: "node_2" }, { id: own, more: "x" }, {}, undefined]) {
      expect(await codeOf(() => enter(byId, params))).toBe("auth.node_limited");
    }
    expect(await codeOf(() => enter(byId, { id: "node_2" }, found("token")))).toBe("passed");
  });

  test("is judged by the node that the handler gets, not by the text that was sent", async () => {
    const changing = z.strictObject({ id: z.string().transform((text) => text.replace("1", "2")) });
    expect(await codeOf(() => enter(row({ param: "id" }, { params: changing }), { id: own }))).toBe(
      "auth.node_limited",
    );
  });

  test("is let in with a filter where the handler filters, and without one where no node is spoken of", async () => {
    const { nodes } = (await enter(row("filtered"))) ?? {};
    expect(nodes?.dataOf(await nodes.answer((seen) => [seen.isEvery, seen.has(own), seen.has("node_2")]))).toEqual([
      false,
      true,
      false,
    ]);
    expect(await enter(row({ none: "a test" }))).toMatchObject({ nodes: undefined });
  });

  test("leaves its nodes at the gate: no handler finds them at the principal", async () => {
    for (const reach of ["filtered", { none: "a test" }] as const) {
      const { principal: seen } = (await enter(row(reach))) ?? {};
      expect(seen).toEqual(found("token").principal);
    }
  });

  test("is refused for a missing scope first", async () => {
    const other = spec({ kind: "scope", scope: "node:admin", nodes: "every" });
    expect(await codeOf(() => enter(other))).toBe("auth.scope_missing");
  });
});

import { parseWitness } from "@gatehouse/store";
import { type AuditEntryView, auditRoute, auditVerifyRoute, auditWitnessRoute } from "@gatehouse/contract/routes";
import { describe, expect, test } from "vitest";
import { newVisitor, startAuthServer, tokenVisitor } from "./auth-server.ts";
import { type Visitor } from "./visitor.ts";

interface Page {
  readonly items: readonly AuditEntryView[];
  readonly nextCursor: string | null;
}

async function search(visitor: Visitor, query = ""): Promise<Page> {
  const answer = await visitor.call<Page>("GET", `/api/audit${query}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return auditRoute.responses[200].parse(answer.body);
}

describe("the audit log", () => {
  test("is shown newest first with who, what, when, from where and by which request", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const { items, nextCursor } = await search(owner);
    expect(items.map(({ action }) => action)).toEqual(["auth.signed_in", "user.created"]);
    expect(items[0]).toMatchObject({ position: 2, outcome: "done", address: "127.0.0.1" });
    expect(items[1]).toMatchObject({ position: 1, actor: "system", requestId: null, address: null });
    expect(nextCursor).toBeNull();
  });

  test("is searched by every condition, all of which hold together", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    server.clock.advance(60_000);
    const from = new Date(server.clock.now()).toISOString();
    await newVisitor(server, owner, "viewer");
    const { id } = await tokenVisitor(server, owner, { scopes: ["audit:read"] });
    const actions = async (query: string) => (await search(owner, query)).items.map(({ action }) => action);
    expect(await actions("?action=user.")).toEqual(["user.created", "user.created"]);
    expect(await actions("?action=token.issued")).toEqual(["token.issued"]);
    expect(await actions(`?subject=token/${id}`)).toEqual(["token.issued"]);
    expect(await actions("?actor=system")).toEqual(["user.created"]);
    expect(await actions(`?from=${from}`)).toEqual(["token.issued", "auth.signed_in", "user.created"]);
    expect(await actions(`?to=${from}`)).toEqual(["auth.signed_in", "user.created"]);
    expect(await actions(`?from=${from}&action=user.`)).toEqual(["user.created"]);
    expect(await actions("?text=viewer")).toContain("user.created");
    expect(await actions("?text=nothingofthekind")).toEqual([]);
  });

  test("is read in pages without a gap or a repeat", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    for (let i = 0; i < 9; i += 1) await server.visitor().signIn();
    const seen: number[] = [];
    let query = "?limit=4";
    for (let pages = 0; pages < 10 && query !== ""; pages += 1) {
      const { items, nextCursor } = await search(owner, query);
      seen.push(...items.map(({ position }) => position));
      query = nextCursor === null ? "" : `?limit=4&cursor=${nextCursor}`;
    }
    expect(seen).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1]);
  });

  test("refuses a query it would have to guess about", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const queries = [
      "limit=0",
      "limit=201",
      "limit=x",
      "cursor=0",
      "cursor=-1",
      "from=yesterday",
      "action=%25",
      "foo=1",
    ];
    for (const query of [...queries, "actor=", "limit=5&limit=6", `text=${"x".repeat(201)}`]) {
      expect((await owner.call("GET", `/api/audit?${query}`)).code, query).toBe("request.malformed");
    }
    expect((await search(owner, "?limit=200")).items).toHaveLength(2);
  });

  test("is for those who hold audit:read, of which viewers are none", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    for (const [role, status] of [
      ["viewer", 403],
      ["auditor", 200],
      ["approver", 200],
      ["operator", 200],
    ] as const) {
      const visitor = await newVisitor(server, owner, role);
      for (const path of ["/api/audit", "/api/audit/verify", "/api/audit/witness"]) {
        expect((await visitor.call("GET", path)).status, `${role} ${path}`).toBe(status);
        server.clock.advance(10_000);
      }
    }
    expect((await server.visitor().call("GET", "/api/audit")).status).toBe(401);
  });
});

describe("the chain", () => {
  test("is verified from its beginning to its end", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const answer = await owner.call("GET", "/api/audit/verify");
    const report = auditVerifyRoute.responses[200].parse(answer.body);
    expect(report).toMatchObject({ ok: true, records: 2, floor: { position: 0 }, head: { position: 2 }, broken: null });
    expect(report.head.link).toBe((await server.store.head()).link);
  });

  test("gives out its end, signed, for others to keep", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const answer = await owner.call("GET", "/api/audit/witness");
    const witness = auditWitnessRoute.responses[200].parse(answer.body);
    expect(witness).toMatchObject(await server.store.head());
    expect(parseWitness(JSON.stringify(witness))).toEqual(witness);
  });

  test("is walked once for all who ask at the same time, and not often", async () => {
    const server = await startAuthServer();
    const owner = await server.visitor().signIn();
    const statuses = [];
    for (let i = 0; i < 14; i += 1) statuses.push((await owner.call("GET", "/api/audit/verify")).status);
    expect(statuses).toEqual([...Array.from({ length: 12 }, () => 200), 429, 429]);
  });
});

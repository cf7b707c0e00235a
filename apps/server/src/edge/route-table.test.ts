import type { Access, RouteSpec, SocketSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import * as z from "zod";
import { buildRouteTable } from "./route-table.ts";

function row(method: RouteSpec["method"], path: RouteSpec["path"], more: Partial<RouteSpec> = {}) {
  const spec: RouteSpec = {
    method,
    path,
    summary: "",
    access: { kind: "signed-in", nodes: "every" },
    responses: { 204: null },
    ...more,
  };
  return { spec, handle: () => undefined };
}
const id = { params: z.strictObject({ id: z.string() }) };

test("the methods of a path are known, HEAD with GET", () => {
  const table = buildRouteTable([row("GET", "/api/a"), row("POST", "/api/a"), row("DELETE", "/api/a/:id", id)]);
  expect(table.methodsOf("/api/a")).toEqual(["GET", "HEAD", "POST"]);
  expect(table.methodsOf("/api/a/x")).toEqual(["DELETE"]);
  for (const path of ["/api/b", "/api/a/x/y", "/api"]) expect(table.methodsOf(path)).toEqual([]);
});

test("two rows for the same request are refused, also under two names of a parameter", () => {
  expect(() => buildRouteTable([row("GET", "/api/a"), row("GET", "/api/a")])).toThrow("GET /api/a is there twice");
  const other = { params: z.strictObject({ name: z.string() }) };
  expect(() => buildRouteTable([row("GET", "/api/a/:id", id), row("GET", "/api/a/:name", other)])).toThrow("twice");
});

test("a row that contradicts itself is refused", () => {
  expect(() => buildRouteTable([row("GET", "/api/A")])).toThrow("no plain request can match");
  expect(() => buildRouteTable([row("GET", "/api/a/")])).toThrow("no plain request can match");
  expect(() => buildRouteTable([row("GET", "/api/a/:id")])).toThrow("exactly the parameters");
  expect(() => buildRouteTable([row("GET", "/api/a", id)])).toThrow("exactly the parameters");
  expect(() => buildRouteTable([row("GET", "/api/a", { body: z.strictObject({}) })])).toThrow("a GET has none");
  expect(() => buildRouteTable([row("GET", "/api/a", { responses: {} })])).toThrow("nothing about its answer");
});

test("a row that does not say what it has to do with nodes is refused, however it came past the types", () => {
  const refused = [undefined, null, "", "all", {}, { param: 1 }, { none: "" }, { param: "id", none: "a test" }];
  for (const access of refused.map((nodes) => ({ kind: "signed-in", nodes }) as Access)) {
    expect(() => buildRouteTable([row("GET", "/api/a/:id", { ...id, access })])).toThrow("has to do with nodes");
  }
});

test("a node is a parameter of the row's own path", () => {
  const access = { kind: "scope", scope: "node:read", nodes: { param: "id" } } as const;
  expect(buildRouteTable([row("GET", "/api/a/:id", { ...id, access })]).routes).toHaveLength(1);
  for (const wrong of [row("GET", "/api/a", { access }), row("GET", "/api/id", { access })]) {
    expect(() => buildRouteTable([wrong])).toThrow("no path parameter id");
  }
  const node = { access: { ...access, nodes: { param: "node" } } };
  expect(() => buildRouteTable([row("GET", "/api/a/:id", { ...id, ...node })])).toThrow("no path parameter node");
});

test("a row that asks for a proof asks in a known way, and excepts only bodies that it reads", () => {
  const start = (proof: object, more: Partial<RouteSpec> = {}) =>
    buildRouteTable([
      row("POST", "/api/a", { access: { kind: "signed-in", nodes: "every", ...proof } as Access, ...more }),
    ]);
  const body = z.strictObject({ less: z.boolean() });
  const lowers = { says: "less", body: z.strictObject({ less: z.literal(true) }) };
  for (const stepUp of ["always", "sessions"]) expect(start({ stepUp, lowers }, { body }).routes).toHaveLength(1);
  for (const stepUp of [true, false, null, "", "never"]) expect(() => start({ stepUp })).toThrow("nobody knows");
  expect(() => start({ lowers }, { body })).toThrow("does not ask for");
  expect(() => start({ stepUp: "always", lowers })).toThrow("does not read");
});

function socket(path: SocketSpec["path"], more: object = {}) {
  const spec = { path, summary: "", from: "agent", access: { kind: "agent" }, maxFrame: 1_024, ...more } as SocketSpec;
  return { spec, open: () => undefined };
}
const browser = { from: "browser", access: { kind: "signed-in", nodes: "every" } } as const;

test("a socket is found by its path, with the parameters that stand there", () => {
  const table = buildRouteTable(
    [row("GET", "/api/a")],
    [socket("/api/b"), socket("/api/b/:id/c", { ...browser, ...id })],
  );
  expect(table.findSocket("/api/b")).toMatchObject({ row: table.sockets[0], params: {} });
  expect(table.findSocket("/api/b/x/c")).toMatchObject({ row: table.sockets[1], params: { id: "x" } });
  for (const path of ["/api/a", "/api/b/", "/api/b/x", "/api/b/x/d", "/api/B"])
    expect(table.findSocket(path)).toBeUndefined();
  expect(table.methodsOf("/api/b")).toEqual([]);
});

test("a socket keeps the rules of every row, and no route has its path", () => {
  expect(() => buildRouteTable([row("GET", "/api/a")], [socket("/api/a")])).toThrow("GET /api/a is there twice");
  expect(() => buildRouteTable([], [socket("/api/a/:id", browser)])).toThrow("exactly the parameters");
  const access = { kind: "signed-in", nodes: "all" };
  expect(() => buildRouteTable([], [socket("/api/a", { from: "browser", access })])).toThrow("has to do with nodes");
});

test("a socket that does not say who opens it, or bounds nothing, is refused, however it came past the types", () => {
  const start = (more: object) => buildRouteTable([], [socket("/api/a", more)]);
  const strange = [
    { from: "anybody" },
    { from: "browser" },
    { from: "browser", access: { kind: "public", because: "a test" } },
    { from: "agent", access: { kind: "signed-in", nodes: "every" } },
    { from: "agent", access: undefined },
  ];
  for (const more of strange) expect(() => start(more), JSON.stringify(more)).toThrow();
  for (const maxFrame of [0, -1, 1.5, Number.POSITIVE_INFINITY, undefined, 2 ** 30]) {
    expect(() => start({ maxFrame })).toThrow("no bound for its messages");
  }
  for (const subprotocol of ["", "a b", "a,b", "a\r\nb"])
    expect(() => start({ subprotocol })).toThrow("no header can name");
  const filtered = { from: "browser", access: { kind: "signed-in", nodes: "filtered" } };
  expect(() => start(filtered)).toThrow("nothing to do it with");
});

test("a row has one body at most, and a GET has no stream either", () => {
  const bodyStream = { mediaType: "application/octet-stream", most: 5 };
  expect(buildRouteTable([row("PUT", "/api/a", { bodyStream })]).routes).toHaveLength(1);
  expect(() => buildRouteTable([row("GET", "/api/a", { bodyStream })])).toThrow("reads a stream where none can be");
  const both = { bodyStream, body: z.strictObject({}) };
  expect(() => buildRouteTable([row("PUT", "/api/a", both)])).toThrow("reads a stream where none can be");
});

import type { RouteSpec } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import * as z from "zod";
import { type Route, route } from "./index.ts";

/**
 * What must not compile. Each line below the mark is a mistake of somebody who writes a route; the compiler finds it, and
 * finds this test wrong when it no longer does.
 */
const row = { method: "GET", path: "/api/nodes", summary: "", responses: { 200: z.array(z.string()) } } as const;
const all = ["node_a", "node_b"];

test("a row that does not say what it has to do with nodes does not compile", () => {
  // @ts-expect-error -- the reach is missing
  const signedIn: RouteSpec = { ...row, access: { kind: "signed-in" } };
  // @ts-expect-error -- the reach is missing
  const scoped: RouteSpec = { ...row, access: { kind: "scope", scope: "node:read" } };
  // @ts-expect-error -- no such reach
  const unknown: RouteSpec = { ...row, access: { kind: "signed-in", nodes: "all" } };
  expect([signedIn, scoped, unknown]).toHaveLength(3);
});

test("a filtered row is answered through its filter; plain data, or another's answer, does not compile", () => {
  const filtered = { ...row, access: { kind: "signed-in", nodes: "filtered" } } as const;
  const routes: readonly Route[] = [
    route(filtered, ({ nodes }) => nodes.answer(({ has }) => all.filter((node) => has(node)))),
    route(filtered, async ({ nodes }) => nodes.answer(() => Promise.resolve(all))),
    // @ts-expect-error -- nobody asked which nodes the caller may see
    route(filtered, () => all),
    // @ts-expect-error -- nor here
    route(filtered, () => Promise.resolve(all)),
    // @ts-expect-error -- an answer of this row is a list of texts
    route(filtered, ({ nodes }) => nodes.answer(() => [1])),
    // @ts-expect-error -- what looks like one is none
    route(filtered, () => ({ dataFor: () => all })),
  ];
  expect(routes).toHaveLength(6);
});

test("no handler reads the nodes of its caller, and only a filtered one has a filter", () => {
  const every = { ...row, access: { kind: "signed-in", nodes: "every" } } as const;
  const none = { ...row, access: { kind: "signed-in", nodes: { none: "a test" } } } as const;
  const filtered = { ...row, access: { kind: "signed-in", nodes: "filtered" } } as const;
  const routes: readonly Route[] = [
    route(every, ({ principal }) => [principal.id]),
    // @ts-expect-error -- the gate has judged them
    route(every, ({ principal }) => [...principal.nodes]),
    // @ts-expect-error -- there is nothing to filter
    route(every, ({ nodes }) => nodes.answer(() => all)),
    // @ts-expect-error -- nor here
    route(none, ({ nodes }) => nodes.answer(() => all)),
    // @ts-expect-error -- the filter knows them
    route(filtered, ({ principal, nodes }) => nodes.answer(() => [...principal.nodes])),
  ];
  expect(routes).toHaveLength(5);
});

test("a node is a parameter that the row has", () => {
  const byId = { ...row, path: "/api/nodes/:id", params: z.strictObject({ id: z.string() }) } as const;
  const routes: readonly Route[] = [
    route({ ...byId, access: { kind: "signed-in", nodes: { param: "id" } } }, ({ params }) => [params.id]),
    // @ts-expect-error -- it is called id
    route({ ...byId, access: { kind: "signed-in", nodes: { param: "node" } } }, () => all),
    // @ts-expect-error -- the row has no parameters at all
    route({ ...row, access: { kind: "signed-in", nodes: { param: "id" } } }, () => all),
  ];
  expect(routes).toHaveLength(3);
});

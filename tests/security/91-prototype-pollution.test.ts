import { parseStrictJson } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract";
import { readSettings } from "@gatehouse/contract/settings";
import { ownersKind } from "@gatehouse/contract/records";
import { parseWitness } from "@gatehouse/store";
import { memoryStore } from "@gatehouse/store/far";
import { create } from "@gatehouse/store/decide";
import { afterEach, expect, test } from "vitest";
import * as z from "zod";
import { inventedKey, inventedKind, inventedKinds } from "../support/invented-kinds.ts";
import { inventedEntry } from "../support/invented-entry.ts";
import { spyRoute, startPlanted } from "./inside/planted-server.ts";
import { newClient } from "./support/new-client.ts";
import { readOpenApi } from "./support/openapi.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { signIn } from "./support/sign-in.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** A key of a JSON object that is not a key of that object, but of every object there is. */
const bodies = joined(
  ['{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '{"prototype":{"polluted":1}}'],
  [
    '{"a":{"__proto__":{"polluted":1}}}',
    '[{"__proto__":{"polluted":1}}]',
    '{"\\u005f\\u005fproto\\u005f\\u005f":{"polluted":1}}',
  ],
  [
    '{"a":[{"b":{"constructor":{"prototype":{"polluted":1}}}}]}',
    '{"__proto__":null}',
    '{"__proto__":[]}',
    '{"toString":1,"__proto__":1}',
  ],
  ['{"csp-report":{"__proto__":{"polluted":1}}}', '[{"type":"csp-violation","body":{"__proto__":{"polluted":1}}}]'],
);
/** Harmless for a strict reader, and still names of every object: they must be plain keys. */
const inherited = [
  "toString",
  "valueOf",
  "hasOwnProperty",
  "isPrototypeOf",
  "__defineGetter__",
  "__lookupGetter__",
  "then",
  "toJSON",
  "length",
];
const words = [
  "__proto__",
  "constructor",
  "prototype",
  "__proto__.polluted",
  "__proto__[polluted]",
  "constructor[prototype][polluted]",
  "a[__proto__][polluted]",
];

const prototypes = { Object, Array, Function, String, Number, Boolean, Map, Set, Promise, Error, RegExp, Buffer, URL };
const before = fingerprint();
afterEach(() => {
  expect(fingerprint()).toEqual(before);
  expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
});

test("every route with a body refuses such keys, for strangers and for an administrator", async (context) => {
  const open = spyRoute({
    method: "POST",
    path: "/api/planted/any",
    summary: "x",
    access: { kind: "public", because: "a test" },
    body: z.unknown(),
    responses: { 200: z.unknown() },
  });
  await using server = await startPlanted({ routes: [open], authenticate: "real", env: { SERVICE_TRUST_PROXY: "1" } });
  const administrator = await signIn(server.port);
  const { operations } = await readOpenApi(server.port);
  const taking = operations.filter(({ method }) => method !== "GET");
  let requests = 0;
  for (const { method, path } of taking) {
    for (const body of bodies) {
      const request: RequestOptions = {
        method,
        path: path.replaceAll(/\{[a-zA-Z]+\}/g, "1"),
        headers: [["Content-Type", "application/json"]],
        body,
      };
      const stranger = await send(server.port, { ...request, headers: [newClient(), ...(request.headers ?? [])] });
      const known = await send(server.port, administrator.as(request));
      for (const { status } of [stranger, known])
        expect([400, 401, 403, 404, 415], `${method} ${path} ${body}`).toContain(status);
      requests += 2;
    }
  }
  expect(open.runs()).toBe(0);
  for (const key of inherited) {
    const body = JSON.stringify({ [key]: 1 });
    const headers = [["Content-Type", "application/json"]] as const;
    expect((await send(server.port, { method: "POST", path: "/api/planted/any", headers, body })).status, key).toBe(
      200,
    );
  }
  tried(context, `${count(requests, "bodies")} to ${count(taking.length, "routes")}`);
});

test("queries, headers, cookies and paths of such names reach nothing", async (context) => {
  await using server = await startPlanted({ routes: [], authenticate: "real", env: { SERVICE_TRUST_PROXY: "1" } });
  const administrator = await signIn(server.port);
  const { operations } = await readOpenApi(server.port);
  const reading = operations.filter(({ method, path }) => method === "GET" && path !== "/api/events");
  const requests: RequestOptions[] = words.flatMap((word) => [
    ...reading.map(({ path }) => ({
      path: `${path.replaceAll(/\{[a-zA-Z]+\}/g, word)}?${word}=1&${encodeURIComponent(word)}x=1`,
    })),
    ...reading.map(({ path }) => ({ path: path.replaceAll(/\{[a-zA-Z]+\}/g, word) })),
    { path: `/api/${word}` },
    { path: `/assets/${word}` },
    { path: `/${word}` },
    { path: "/api/version", headers: [[word.replaceAll(/[[\].]/g, "-"), "1"]] },
    { path: "/api/auth/whoami", headers: [["Cookie", `${word}=1`]] },
    { path: "/api/version", method: word.replaceAll(/[^A-Za-z_]/g, "") },
  ]);
  for (const request of requests) {
    const { status } = await send(server.port, administrator.as(request));
    expect(status, JSON.stringify(request)).toBeLessThan(500);
  }
  expect(server.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  tried(context, count(requests.length, "other requests"));
});

test("settings, records and witness files with such keys stay plain data", async (context) => {
  for (const body of bodies) {
    expect(parseStrictJson(body).ok, body).toBe(false);
    // A trust policy is checked by its own reader later; here it must only stay inert.
    if (body.startsWith("{")) expect("polluted" in readSettings({ SERVICE_PLUGIN_TRUST: body })).toBe(false);
    expect(() => parseWitness(body)).toThrow();
  }
  const store = memoryStore(inventedKinds);
  const product = memoryStore();
  for (const [at, word] of [...words, ...inherited].entries()) {
    const value = JSON.parse(`{"${word}":{"polluted":1},"list":[{"${word}":1}]}`) as { list: [] };
    const entry = inventedEntry({ at: 1, actor: word, action: "thing.kept", subject: word, detail: value });
    for (const key of [`${word}/x`, `thing/${word}`, `thing/${at}`].map(inventedKey)) {
      await store.commit(entry, [create(key, value)]).catch((error: unknown) => {
        expect(isFault(error), String(error)).toBe(true);
      });
      await store.get(key);
    }
    // The kinds of the product are closed: no such name is a field of any.
    const owners = create(ownersKind.key("main"), { ids: [], [word]: 1 });
    await expect(product.commit(entry, [owners]), word).rejects.toThrow("store.malformed");
    await store.list(inventedKind(word));
    await store.searchAudit({ actor: word, text: word, limit: 10 });
  }
  expect((await store.verifyAudit()).ok).toBe(true);
  await store.close();
  tried(context, `${count(bodies.length, "documents")}, ${count(words.length + inherited.length, "names of records")}`);
});

test("the check sees a prototype that was changed", () => {
  const merge = (into: Record<string, unknown>, from: Record<string, unknown>) => {
    for (const [key, value] of Object.entries(from)) {
      if (typeof value === "object" && value !== null)
        merge((into[key] ??= {}) as Record<string, unknown>, value as Record<string, unknown>);
      else into[key] = value;
    }
  };
  merge({}, JSON.parse(bodies[0] ?? "") as Record<string, unknown>);
  expect(fingerprint()).not.toEqual(before);
  delete (Object.prototype as Record<string, unknown>)["polluted"];
  expect(fingerprint()).toEqual(before);
});

/** Every own key of the prototypes everything inherits from, and what stands behind it. */
function fingerprint(): Record<string, string[]> {
  return Object.fromEntries(
    Object.entries(prototypes).map(([name, { prototype }]) => {
      const keys = Reflect.ownKeys(prototype as object).map((key) => {
        const found = Reflect.getOwnPropertyDescriptor(prototype as object, key);
        return `${String(key)} ${typeof (found?.value ?? found?.get)} ${found?.writable} ${found?.configurable}`;
      });
      return [name, keys.toSorted()];
    }),
  );
}

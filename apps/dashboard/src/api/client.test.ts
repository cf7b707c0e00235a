import type {
  auditRoute,
  changeUserRoute,
  createUserRoute,
  eventsRoute,
  invokePluginRoute,
  revokeTokenRoute,
  tokensRoute,
  User,
  userRoute,
} from "@gatehouse/contract/routes";
import { afterEach, expect, test, vi } from "vitest";
import { addressOf, callApi, fetchApi } from "./client.ts";

afterEach(() => vi.unstubAllGlobals());

test("a call fills the path, leaves out what nobody asked for, and gives data and ETag", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () =>
    Response.json({ id: "usr_1" }, { headers: { ETag: '"3"' } }),
  );
  vi.stubGlobal("fetch", fetch);
  vi.stubGlobal("window", {});
  const answer = await callApi<typeof userRoute>("GET", "/api/users/:id", { params: { id: "usr_1/../../x" } });
  expect(answer).toEqual({ data: { id: "usr_1" }, etag: '"3"' });
  await fetchApi<typeof auditRoute>("GET", "/api/audit", { query: { text: "a b", actor: "", to: undefined } });
  expect(fetch.mock.calls.map(([address]) => address)).toEqual([
    "/api/users/usr_1%2F..%2F..%2Fx",
    "/api/audit?text=a+b",
  ]);
});

test("contract 5.2: a call that gets no answer is timed and told, whether it fails, breaks off or is given up", async () => {
  const told = vi.spyOn(console, "debug").mockReturnValue(undefined);
  const clock = vi.spyOn(performance, "now").mockReturnValue(0);
  vi.stubGlobal("window", {});
  const read = (signal?: AbortSignal) =>
    fetchApi<typeof tokensRoute>("GET", "/api/tokens", signal === undefined ? {} : { signal });
  const lines = () => told.mock.calls.map(([line]) => String(line));

  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  await expect(read()).rejects.toMatchObject({ status: 0, code: "answer.none" });
  expect(lines()).toEqual(["GET /api/tokens no answer 0 ms"]);

  const broken = new ReadableStream({ start: (body) => body.error(new TypeError("network error")) });
  vi.stubGlobal("fetch", async () => new Response(broken));
  await expect(read()).rejects.toMatchObject({ status: 0, code: "answer.none" });
  expect(lines()).toHaveLength(2);

  vi.stubGlobal("fetch", (_address: string, { signal }: RequestInit) => Promise.reject(signal?.reason));
  await expect(read(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortError" });
  expect(lines()).toHaveLength(3);
  told.mockRestore();
  clock.mockRestore();
});

test("an address that the browser reads by itself is made by the row too", () => {
  expect(addressOf<typeof eventsRoute>("/api/events")).toBe("/api/events");
  expect(addressOf<typeof eventsRoute>("/api/events", { query: { after: "7" } })).toBe("/api/events?after=7");
});

/** Never called: the compiler is what refuses. A line that begins to compile is an error of its own. */
const refused = (): readonly unknown[] => [
  // @ts-expect-error -- no row is named
  fetchApi("GET", "/api/tokens"),
  // @ts-expect-error -- another path than the row has
  fetchApi<typeof tokensRoute>("GET", "/api/access-tokens"),
  // @ts-expect-error -- another method
  fetchApi<typeof tokensRoute>("POST", "/api/tokens"),
  // @ts-expect-error -- no such field of the query
  fetchApi<typeof tokensRoute>("GET", "/api/tokens", { query: { ownr: "usr_1" } }),
  // @ts-expect-error -- a query is text
  fetchApi<typeof tokensRoute>("GET", "/api/tokens", { query: { limit: 200 } }),
  // @ts-expect-error -- the row has no body
  fetchApi<typeof tokensRoute>("GET", "/api/tokens", { body: {} }),
  // @ts-expect-error -- the parameters are missing
  fetchApi<typeof revokeTokenRoute>("DELETE", "/api/tokens/:id"),
  // @ts-expect-error -- a parameter of another name
  fetchApi<typeof revokeTokenRoute>("DELETE", "/api/tokens/:id", { params: { token: "x" } }),
  // @ts-expect-error -- no such action
  fetchApi<typeof invokePluginRoute>("POST", "/api/plugins/:id/actions/:action", { params: wrongAction, body: {} }),
  // @ts-expect-error -- the body is missing
  fetchApi<typeof createUserRoute>("POST", "/api/users"),
  // @ts-expect-error -- a field of the body is missing
  fetchApi<typeof createUserRoute>("POST", "/api/users", { body: { username: "wren", password: "x" } }),
  // @ts-expect-error -- no such role
  fetchApi<typeof createUserRoute>("POST", "/api/users", { body: { username: "wren", role: "king", password: "x" } }),
  // @ts-expect-error -- the version that is changed is not named
  fetchApi<typeof changeUserRoute>("PATCH", "/api/users/:id", { params: { id: "usr_1" }, body: { disabled: true } }),
  // @ts-expect-error -- another path, for what the browser reads by itself
  addressOf<typeof eventsRoute>("/api/event"),
];
const wrongAction = { id: "acme-mesh", action: "apply" } as const;

/** The answer has the row's own type, neither more nor less. */
const typed = async (): Promise<User | undefined> => {
  const ended = await fetchApi<typeof revokeTokenRoute>("DELETE", "/api/tokens/:id", { params: { id: "x" } });
  const list = await fetchApi<typeof tokensRoute>("GET", "/api/tokens");
  // @ts-expect-error -- a token has no such field
  if (list.items[0]?.secret !== undefined) return ended;
  const { data } = await callApi<typeof userRoute>("GET", "/api/users/:id", { params: { id: "usr_1" } });
  return data;
};

test("a call that does not fit its row does not compile", () => {
  expect([refused, typed]).toHaveLength(2);
});

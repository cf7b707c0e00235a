import { usersRoute } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sendJson, startSmallServer } from "../../test/small-server.ts";
import { callServer } from "./call-server.ts";
import type { Connection } from "./connection.ts";
import { listAll } from "./list-all.ts";

const user = (number: number) => ({
  id: String(number),
  username: `user${number}`,
  role: "viewer",
  disabled: false,
  createdAt: "2026-11-15T00:00:00.000Z",
  updatedAt: "2026-11-15T00:00:00.000Z",
  passwordChangedAt: "2026-11-15T00:00:00.000Z",
});

/** A list of so many users, page by page as the server gives it. */
async function listOf(total: number) {
  const server = await startSmallServer((response, { path }) => {
    const query = new URL(path, "http://x").searchParams;
    const [after, limit] = [Number(query.get("cursor") ?? 0), Number(query.get("limit"))];
    const items = Array.from({ length: Math.min(limit, total - after) }, (_, index) => user(after + index + 1));
    const last = after + items.length;
    sendJson(response, 200, { items, nextCursor: last < total ? String(last) : null });
  });
  const connection: Pick<Connection, "call"> = { call: (spec, call) => callServer({ server: server.url }, spec, call) };
  return { connection, pages: () => server.received.length };
}

test.each([
  ["nothing", 0, 100, 10, 0, false, 1],
  ["one page", 10, 100, 10, 10, false, 1],
  ["several pages", 25, 100, 10, 25, false, 3],
  ["as many as are wanted, and that there are more", 25, 12, 10, 12, true, 2],
  ["exactly as many as are wanted", 20, 20, 10, 20, false, 2],
])("a list is read page by page: %s", async (_, total, most, pageSize, found, more, pages) => {
  const list = await listOf(total);
  const listed = await listAll(list.connection, usersRoute, { most, pageSize });
  expect(listed.items.map(({ id }) => Number(id))).toEqual(Array.from({ length: found }, (_, index) => index + 1));
  expect({ more: listed.more, pages: list.pages() }).toEqual({ more, pages });
});

test("a page without items is not the end of a list", async () => {
  const pages = [
    { items: [], nextCursor: "2" },
    { items: [user(1)], nextCursor: "1" },
    { items: [], nextCursor: null },
  ];
  const server = await startSmallServer((response) => sendJson(response, 200, pages.shift() ?? {}));
  const connection: Pick<Connection, "call"> = { call: (spec, call) => callServer({ server: server.url }, spec, call) };
  expect(await listAll(connection, usersRoute, { most: 100, pageSize: 10 })).toEqual({ items: [user(1)], more: false });
});

test("a server that always promises more is not asked for ever, and whoever asked is told that there may be more", async () => {
  const server = await startSmallServer((response) => sendJson(response, 200, { items: [], nextCursor: "1" }));
  const connection: Pick<Connection, "call"> = { call: (spec, call) => callServer({ server: server.url }, spec, call) };
  expect(await listAll(connection, usersRoute, { most: 100, pageSize: 10 })).toEqual({ items: [], more: true });
});

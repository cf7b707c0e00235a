import { joinToken } from "@gatehouse/contract";
import type { HostLogLine } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { runLine } from "../../test/run-commands.ts";
import { type Received, sendJson, sendProblem, startSmallServer } from "../../test/small-server.ts";

const line = (id: number): HostLogLine => ({
  id: String(id),
  at: "2026-11-19T03:12:00.000Z",
  node: "node_0123456789abcdefghjkmnpqrs",
  source: "nginx.service",
  level: null,
  text: `line ${id}`,
  dropped: null,
});

interface Answer {
  readonly items: readonly HostLogLine[];
  readonly nextCursor: string | null;
  readonly position: string;
}

/** A server whose answers about logs follow from the question; nodes it shows to nobody. */
async function start(answer: (query: URLSearchParams) => Answer) {
  const asked: string[] = [];
  const server = await startSmallServer((response, { path }: Received) => {
    const { pathname, searchParams } = new URL(path, "http://x");
    if (pathname !== "/api/logs") return sendProblem(response, 403, "auth.scope_missing", { scope: "node:read" });
    asked.push(searchParams.toString());
    sendJson(response, 200, answer(searchParams));
  });
  const environment = {
    GATEHOUSE_TOKEN: joinToken("a".repeat(16), "b".repeat(43)),
    GATEHOUSE_SERVER: server.url.origin,
  };
  return { asked, run: (words: string) => runLine(words, { environment }) };
}

test("a search that looked at much in vain goes on until it has found, and the newest line is shown last", async () => {
  const { asked, run } = await start((query) =>
    query.has("cursor")
      ? { items: [line(7), line(4)], nextCursor: null, position: "900" }
      : { items: [], nextCursor: "500", position: "900" },
  );
  const { code, out, err } = await run("logs");
  expect(err).toBe("");
  expect(code).toBe(0);
  expect(out).toMatch(/^2 lines\n.*line 4\n.*line 7\n$/s);
  expect(asked).toEqual(["limit=100", "limit=100&cursor=500"]);
});

test("what arrives while the list is read is followed, no line is shown twice, and what is not meant is passed over", async () => {
  const { asked, run } = await start((query) => {
    const after = query.get("after");
    if (after === "30") return { items: [], nextCursor: null, position: "90" };
    if (after === "90") return { items: [line(93), line(91)], nextCursor: null, position: "95" };
    return { items: [line(7)], nextCursor: null, position: "30" };
  });
  const { code, out } = await run("logs --words failed --follow --lines 2");
  expect(code).toBe(0);
  expect(out.match(/line \d+/g)).toEqual(["line 7", "line 91", "line 93"]);
  expect(asked).toEqual([
    "limit=1",
    "q=failed&limit=100&cursor=31",
    "q=failed&after=30&limit=200",
    "q=failed&after=90&limit=200",
  ]);
});

import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** A framework that picks its checks by content type skips them for a type that it half understands. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const types = [
  "application/json",
  "application/csp-report",
  "application/reports+json",
  "text/plain",
  "application/x-www-form-urlencoded",
  "multipart/form-data; boundary=x",
  "text/json",
  "application/xml",
  "*/*",
  "",
];
const spoilers: readonly ((type: string) => string)[] = [
  (type) => type,
  (type) => type.toUpperCase(),
  (type) => `${type};`,
  (type) => `${type}\t`,
  (type) => `\t${type}`,
  (type) => ` ${type} `,
  (type) => `${type}; charset=utf-8`,
  (type) => `${type};charset="utf-8"`,
  (type) => `${type}; charset=utf-7`,
  (type) => `${type}; charset=utf-16le`,
  (type) => `${type}; charset=utf-8; charset=utf-7`,
  (type) => `${type}; foo=bar`,
  (type) => `${type}, text/plain`,
  (type) => `text/plain, ${type}`,
  (type) => `${type} text/plain`,
  (type) => `${type};;charset=utf-8`,
  (type) => type.replace("/", " / "),
  (type) => type.replace("/", "//"),
  (type) => `"${type}"`,
  (type) => `${type}\u00a0`,
  (type) => `${type}\u000b`,
  (type) => `${type}${";a=b".repeat(200)}`,
];

/** Accepted by a reader that checks nothing; refused by one that does (a key stands there twice). */
const twice = '{"a":1,"a":2}';

test("a body is refused by its type, or it is checked: no third way", async (context) => {
  const variants = types.flatMap((type) => spoilers.map((spoil) => spoil(type)));
  const unchecked: string[] = [];
  const counts = { refused: 0, checked: 0 };
  await inLanes(variants, 4, async (type) => {
    const { status } = await report([["Content-Type", type]], twice);
    if (status === 415) counts.refused += 1;
    else if (status === 400) counts.checked += 1;
    else unchecked.push(`${JSON.stringify(type)}: ${status}`);
  });
  expect(unchecked).toEqual([]);
  expect(counts.checked).toBeGreaterThan(5);
  tried(context, `${count(variants.length, "types")}: ${counts.refused} refused, ${counts.checked} checked`);
});

test("a type that is given twice, or not at all, is refused", async (context) => {
  const lists: readonly (readonly (readonly [string, string])[])[] = [
    [],
    [["Content-Type", ""]],
    [
      ["Content-Type", "application/json"],
      ["Content-Type", "text/plain"],
    ],
    [
      ["Content-Type", "application/json"],
      ["content-type", "application/json"],
    ],
    [["X-Content-Type", "application/json"]],
    [["Content_Type", "application/json"]],
  ];
  for (const headers of lists) {
    expect((await report(headers, "{}")).status, JSON.stringify(headers)).toBe(415);
  }
  tried(context, count(lists.length, "lists of headers"));
});

test("the route does take a good report, so the refusals above mean something", async () => {
  for (const type of types.slice(0, 3)) {
    expect((await report([["Content-Type", type]], "{}")).status).toBe(204);
  }
});

/** Each from an address of its own, because the route has a limit per address. */
function report(headers: readonly (readonly [string, string])[], body: string) {
  return send(server.port, { method: "POST", path: "/api/csp-reports", headers: [newClient(), ...headers], body });
}

import { expect, test } from "vitest";
import { logsHref, readLogsAddress } from "./logs-address.ts";

/** As the router reads an address: what is JSON is its value. */
function readHref(href: string) {
  const said = [...new URLSearchParams(href.split("?")[1] ?? "")].map(([name, text]) => [name, valueOf(text)]);
  return readLogsAddress(Object.fromEntries(said));
}

function valueOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

test("without a word: every line of the last hour", () => {
  expect(readLogsAddress({})).toEqual({
    text: "",
    nodes: [],
    sources: [],
    level: undefined,
    range: "hour",
    chosen: undefined,
    line: undefined,
    isFollowed: false,
  });
  expect(logsHref(readLogsAddress({}))).toBe("/logs");
});

test.each([
  "/logs?q=timeout%20%22timed%20out%22&nodes=node_a%2Cnode_b&source=nginx.service&level=error&range=day",
  "/logs?q=%22404%22&line=1795100000000017",
  "/logs?q=%22%5C%22timed%20out%5C%22%22",
  "/logs?from=2026-11-17T02%3A47Z&to=2026-11-17T02%3A48%3A05Z",
  "/logs?nodes=node_a&follow=true",
])("what %s says is read, and written the same again", (href) => {
  expect(logsHref(readHref(href))).toBe(href);
});

test.each([
  [{ level: "debug", range: "year", line: "12345678901234567", nodes: 7, follow: "perhaps", q: {} }],
  [{ from: "2026-11-17T02:50Z", to: "2026-11-17T02:30Z" }],
  [{ from: "2026-11-17T02:50Z", line: -4 }],
])("what cannot be is left out: %j", (search) => {
  expect(readLogsAddress(search)).toEqual(readLogsAddress({}));
});

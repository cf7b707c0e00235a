import { expect, test } from "vitest";
import { readLogsAddress } from "../../widgets/HostLogs/logs-address.ts";
import { sampleLine } from "./sample-line.ts";
import {
  commandForDropped,
  narrowSource,
  sayDropped,
  sayFilter,
  shellCommand,
  shortSource,
  signOf,
} from "./say-logs.ts";

const nameOf = (id: string) => id.replace("node_", "fra1-edge-");
const now = Date.parse("2026-11-17T03:12:40Z");
const droppedLine = (lines: number | null, source = "nginx.service") =>
  sampleLine(1, { source, at: "2026-11-17T02:47:58.000Z", dropped: { lines, from: "2026-11-17T02:47:31.004Z" } });
const said = (line: ReturnType<typeof droppedLine>) => {
  const { before, after } = sayDropped(line);
  return `${before}fra1-edge-03${after}`;
};

test("only errors and warnings have a sign", () => {
  expect((["emergency", "error", "warning", "notice", "debug", null] as const).map(signOf)).toEqual([
    "bad",
    "bad",
    "warn",
    undefined,
    undefined,
    undefined,
  ]);
});

test.each([
  [droppedLine(4_120), "4,120 lines dropped on fra1-edge-03 since 02:47:31. They stay in its own journal."],
  [droppedLine(1), "1 line dropped on fra1-edge-03 since 02:47:31. It stays in its own journal."],
  [droppedLine(7, "/var/log/app.log"), "7 lines dropped on fra1-edge-03 since 02:47:31. They stay in the file itself."],
  [droppedLine(null), "Lines were dropped on fra1-edge-03 since 02:47:31; nobody counted them."],
])("what was dropped is said: %#", (line, words) => {
  expect(said(line)).toBe(words);
});

test("root finds dropped lines of a service on the host", () => {
  expect(commandForDropped(droppedLine(4))).toBe(
    'journalctl -u nginx.service --since "2026-11-17 02:47:31 UTC" --until "2026-11-17 02:47:59 UTC"',
  );
  expect(commandForDropped(droppedLine(4, "/var/log/app.log"))).toBeUndefined();
});

test("the shell shows the same lines; a name that a host invented is one word of it", () => {
  const { query, ...filter } = {
    nodes: ["node_01", "node_02"],
    sources: ["a$(reboot)'b.service"],
    level: "error",
    query: '"timed out"',
  } as const;
  expect(shellCommand(filter, { query, nameOf, isFollowed: true })).toBe(
    `gatehouse logs --node fra1-edge-01 --node fra1-edge-02 --source 'a$(reboot)'\\''b.service' --level error --words '"timed out"' --follow`,
  );
  expect(shellCommand({ nodes: [], sources: [], level: undefined }, { query: "", nameOf, isFollowed: false })).toBe(
    "gatehouse logs",
  );
});

test("a filter is said in words", () => {
  const all = readLogsAddress({});
  expect(sayFilter(all, { words: [], nameOf, now })).toBe("last hour");
  const some = readLogsAddress({
    nodes: "node_01,node_02",
    source: "nginx.service",
    level: "warning",
    from: "2026-11-17T02:47Z",
    to: "2026-11-17T02:49Z",
  });
  expect(sayFilter(some, { words: ["timed out"], nameOf, now })).toBe(
    "fra1-edge-01 or fra1-edge-02, nginx, warning and error, with “timed out”, 02:47 to 02:49",
  );
  const many = readLogsAddress({ nodes: "a,b,c,d", level: "error", range: "day" });
  expect(sayFilter(many, { words: [], nameOf, now })).toBe("4 nodes, error, last day");
});

test("a service goes by its name, a file by its path", () => {
  expect(["nginx.service", "/var/log/app.log"].map(shortSource)).toEqual(["nginx", "/var/log/app.log"]);
  expect(["nginx.service", "/var/log/app.log"].map(narrowSource)).toEqual(["nginx", "app.log"]);
});

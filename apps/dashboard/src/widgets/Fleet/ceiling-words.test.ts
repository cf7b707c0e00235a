import { operationKinds } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { ceilingSentences, ceilingTable, keepWords, parseCeilingView } from "./ceiling-words.ts";

const managed = JSON.stringify({
  schema: 1,
  level: "managed",
  allow: ["service.restart:nginx.service", "firewall.apply:gatehouse_edge", "service.restart:haproxy.service"],
});

const viewOf = (text: string) => {
  const view = parseCeilingView(text);
  if (view === undefined) throw new Error("it was not read");
  return view;
};

test("a host that lets itself be looked at refuses every change and every terminal", () => {
  const view = viewOf('{"schema":1,"level":"monitor"}');
  expect(ceilingTable(view).refused).toEqual(["Open a terminal", "Change anything at all"]);
  expect(ceilingTable(view).allowed).toEqual([{ title: "Read facts", targets: [], price: "by itself" }]);
  expect(ceilingSentences(view, "none").stolen).toContain("change nothing");
});

test("what root named stands under the line, each operation with its targets, and the rest above it", () => {
  const { refused, allowed } = ceilingTable(viewOf(managed));
  expect(allowed.map(({ title, targets, price }) => [title, targets, price])).toEqual([
    ["Change the firewall", ["gatehouse_edge"], "by a plan"],
    ["Restart services", ["nginx.service", "haproxy.service"], "by a plan"],
    ["Read facts", [], "by itself"],
  ]);
  expect(refused).toEqual([
    "Open a terminal",
    "Write files, replace programs, set up WireGuard, update the agent",
    "Anything not named below",
  ]);
});

test("a path to which one publisher alone brings programs is said with that publisher", () => {
  const allow = ["binary.replace:/usr/local/bin", "binary.replace:/opt/tool=acme"];
  expect(ceilingTable({ ...viewOf(managed), allow }).allowed[0]).toEqual({
    title: "Replace programs",
    targets: ["/usr/local/bin", "/opt/tool (only by acme)"],
    price: "by a plan",
  });
});

test("every operation is said to need a plan", () => {
  for (const kind of operationKinds.filter((each) => each !== "log.tail")) {
    const [row] = ceilingTable({ ...viewOf(managed), allow: [kind] }).allowed;
    expect(row?.price, kind).toBe("by a plan");
  }
});

test("what is left of a stolen server is said by whose word the host takes", () => {
  const stolen = (["none", "signed", "server"] as const).map(
    (accepts) => ceilingSentences(viewOf(managed), accepts).stolen,
  );
  expect(stolen).toEqual([
    expect.stringContaining("change nothing"),
    expect.stringContaining("It cannot sign one"),
    expect.stringContaining("without anybody’s signature"),
  ]);
});

test("what the host keeps open is said in words, and SSH where root said nothing", () => {
  expect(keepWords(viewOf(managed))).toEqual(["SSH (tcp/22) from everywhere"]);
  expect(keepWords(viewOf('{"schema":1,"level":"monitor"}'))).toBeUndefined();
  const keep = ["tcp/22:192.0.2.0/24", "udp/51820:0.0.0.0/0", "tcp/22:2001:db8::/32", "tcp/443:::/0"];
  const view = viewOf(JSON.stringify({ schema: 1, level: "managed", allow: ["agent.update"], keep }));
  expect(keepWords(view)).toEqual([
    "tcp/22 from 192.0.2.0/24",
    "udp/51820 from everywhere over IPv4",
    "tcp/22 from 2001:db8::/32",
    "tcp/443 from everywhere over IPv6",
  ]);
  expect(keepWords({ level: "managed", keep: [] })).toEqual([]);
});

test("an operation of a newer agent is shown by its own name, and never left out", () => {
  const view = viewOf('{"schema":2,"level":"managed","allow":["disk.format:/dev/sdb"]}');
  expect(ceilingTable(view).allowed[0]).toMatchObject({ title: "disk.format", targets: ["/dev/sdb"] });
});

test("an allowed terminal is no longer refused, and its user is named", () => {
  const view = viewOf('{"schema":1,"level":"monitor","terminal":{"user":"deploy","modes":["e2e"]}}');
  expect(ceilingTable(view).refused).not.toContain("Open a terminal");
  expect(ceilingTable(view).allowed[0]).toMatchObject({ title: "Open a terminal", targets: ["deploy"] });
});

test.each([
  "",
  "null",
  "[]",
  "{",
  '{"level":"root"}',
  '{"level":"managed"}',
  '{"level":"managed","allow":"all"}',
  '{"level":"managed","allow":[1]}',
  '{"level":"monitor","allow":["agent.update"]}',
  '{"level":"monitor","read":7}',
  '{"level":"monitor","read":{"logs":{}}}',
  '{"level":"monitor","terminal":true}',
  '{"level":"managed","allow":[],"keep":"tcp/22"}',
])("the text %j is no ceiling that this page could vouch for", (text) => {
  expect(parseCeilingView(text)).toBeUndefined();
});

import { expect, test } from "vitest";
import { makeStateGround } from "../../test/state-ground.ts";
import { parseTable, readFirewallState } from "./read-firewall-state.ts";

/** As nft 1.0.6 prints it. */
const listing = (handle: number, version = "1.0.6") =>
  `{"nftables": [{"metainfo": {"version": "${version}", "release_name": "Lester Gooch #5", "json_schema_version": 1}}, {"table": {"family": "inet", "name": "gatehouse_t", "handle": ${handle}}}, {"chain": {"family": "inet", "table": "gatehouse_t", "name": "input", "handle": 1, "type": "filter", "hook": "input", "prio": 0, "policy": "drop"}}, {"set": {"family": "inet", "name": "s", "table": "gatehouse_t", "type": "ipv4_addr", "handle": ${handle + 9}, "elem": ["10.0.0.1"]}}, {"rule": {"family": "inet", "table": "gatehouse_t", "chain": "input", "handle": ${handle + 3}, "index": 4, "comment": "handle", "expr": [{"match": {"op": "in", "left": {"ct": {"key": "state"}}, "right": ["established", "related"]}}, {"index": {"handle": 5}}, {"counter": null}, {"accept": null}]}}]}\n`;
const command = "nft -j -s list table inet gatehouse_t";

test("a listing is told without version, handles and indexes of its parts, and otherwise as it is", () => {
  expect(parseTable(listing(1))).toEqual({
    nftables: [
      { table: { family: "inet", name: "gatehouse_t" } },
      {
        chain: {
          family: "inet",
          table: "gatehouse_t",
          name: "input",
          type: "filter",
          hook: "input",
          prio: 0,
          policy: "drop",
        },
      },
      { set: { family: "inet", name: "s", table: "gatehouse_t", type: "ipv4_addr", elem: ["10.0.0.1"] } },
      {
        rule: {
          family: "inet",
          table: "gatehouse_t",
          chain: "input",
          comment: "handle",
          expr: [
            { match: { op: "in", left: { ct: { key: "state" } }, right: ["established", "related"] } },
            { index: { handle: 5 } },
            { counter: null },
            { accept: null },
          ],
        },
      },
    ],
  });
  expect(parseTable(listing(700, "1.1.3"))).toEqual(parseTable(listing(1)));
});

const partsOf = (...parts: readonly unknown[]) => parseTable(JSON.stringify({ nftables: parts })).nftables;

test("what has counted, and what is left of an element's time, is not told", () => {
  const set = (element: unknown) => ({ set: { name: "s", elem: [element, "10.0.0.2"] } });
  const moved = [
    { counter: { name: "c", comment: "x", packets: 4, bytes: 2 } },
    { quota: { name: "q", bytes: 10, used: 3, inv: true } },
    set({ elem: { val: "10.0.0.1", timeout: 9, expires: 5 } }),
    { map: { name: "m", elem: [[{ elem: { val: 22, timeout: 9, expires: 5 } }, { drop: null }]] } },
  ];
  expect(partsOf(...moved)).toEqual([
    { counter: { name: "c", comment: "x" } },
    { quota: { name: "q", bytes: 10, inv: true } },
    set({ elem: { val: "10.0.0.1", timeout: 9 } }),
    { map: { name: "m", elem: [[{ elem: { val: 22, timeout: 9 } }, { drop: null }]] } },
  ]);
});

test("a set of one in a rule is that one, and every other set stays", () => {
  const rule = (right: unknown, op = "==") => ({
    rule: { expr: [{ match: { op, left: "x", right } }, { accept: null }, 1] },
  });
  const range = { range: [1, 5] };
  expect(partsOf(rule({ set: [range] }), rule({ set: [range] }, "!="))).toEqual([rule(range), rule(range, "!=")]);
  const others = [
    rule({ set: [range, 9] }),
    rule({ set: [] }),
    rule({ set: "@s" }),
    rule("@s"),
    { rule: { expr: [{ match: 1 }] } },
  ];
  expect(partsOf(...others)).toEqual(others);
});

test.each([
  ["nothing", ""],
  ["no JSON", "rubbish"],
  ["another document", '{"rules": []}'],
  ["a list of something else", '{"nftables": [1]}'],
  ["a word in place of a part", '{"nftables": [{"table": "x"}, 1]}'],
  ["a number that loses its value", '{"nftables": [{"quota": {"bytes": 18446744073709551615}}]}'],
  ["a key that reaches a prototype", '{"nftables": [{"__proto__": {}}]}'],
])("%s in place of a listing is said to be unreadable", (_, text) => {
  expect(() => parseTable(text)).toThrow(/^state\.unreadable/);
});

test("a table of more parts than anybody reads is refused", () => {
  const items = Array.from({ length: 4_097 }, () => '{"rule": {}}');
  expect(() => parseTable(`{"nftables": [${items.join()}]}`)).toThrow(/^read\.limit/);
});

test("nft is asked for one table by name; a table that is not there is null", async () => {
  const there = makeStateGround({ [command]: { stdout: listing(1) } });
  expect(await readFirewallState(there.ground, "gatehouse_t")).toEqual(parseTable(listing(1)));
  expect(there.lines).toEqual([command]);
  const stderr = `Error: No such file or directory\nlist table inet gatehouse_t\n                ^^^^^^^^^^^\n`;
  const gone = makeStateGround({ [command]: { code: 1, stderr } });
  expect(await readFirewallState(gone.ground, "gatehouse_t")).toBeNull();
});

test.each([
  [
    "is missing",
    { code: null, stderr: "spawn nft ENOENT: No such file or directory" },
    /^state\.unreadable: nft cannot/,
  ],
  ["may not ask the kernel", { code: 1, stderr: "Operation not permitted (you must be root)" }, /^state\.unreadable/],
  ["fails, and says so in the wrong place", { code: 1, stdout: "no\n" }, /^state\.unreadable: .* said: no$/],
  ["fails without a word", { code: 1 }, /^state\.unreadable: .* said: nothing$/],
  ["takes too long", { code: null, cut: "time" }, /^read\.limit/],
  ["says too much", { code: null, cut: "size" }, /^read\.limit/],
] as const)("a host whose nft %s says so, and not that there is no table", async (_, answer, says) => {
  const { ground } = makeStateGround({ [command]: answer });
  await expect(readFirewallState(ground, "gatehouse_t")).rejects.toThrow(says);
});

import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodeVfs } from "@gatehouse/files";
import type { FirewallApply } from "@gatehouse/plan";
import fc from "fast-check";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { RunOnHost } from "../../apps/agent/src/host/run-on-host.ts";
import { changeFirewall } from "../../apps/agent/src/operations/change-firewall.ts";
import { digestStates } from "../../apps/agent/src/operations/digest-states.ts";
import type { ChangeGround } from "../../apps/agent/src/operations/host-operation.ts";
import { keepTable, loadTables } from "../../apps/agent/src/operations/keep-table.ts";
import { smallChain } from "../../packages/plan/src/operations/firewall/firewall-cases.ts";
import { recordedOperation } from "../../packages/plan/src/operations/firewall/nft-cases.ts";
import { anyOperation } from "../../packages/plan/src/plan-cases.ts";
import { type HostPair, openHostPair } from "./namespaces.ts";

/** What a host does to its own table, with a real nft and kernel: made, seen to be made, and taken back to the very same. */
const table = "gatehouse_t";
const first: FirewallApply = { ...recordedOperation, table };
const second: FirewallApply = {
  kind: "firewall.apply",
  table,
  input: {
    policy: "accept",
    rules: [{ label: "telnet", verdict: "drop", protocol: "tcp", ports: [{ from: 23, to: 23 }] }],
  },
};

let hosts: HostPair;
let directory: string;
let ground: ChangeGround;
beforeAll(async () => {
  hosts = await openHostPair();
  directory = mkdtempSync(join(tmpdir(), "gatehouse-lab-nft-"));
  ground = { root: "/", owner: 0, run, directory: join(directory, "scripts"), pause: async () => undefined };
});
afterEach(() => nft("flush", "ruleset"));
afterAll(async () => {
  await hosts.close();
  rmSync(directory, { recursive: true });
});

const run: RunOnHost = async (program, args) => {
  const child = hosts.one.start(program, args);
  const said = { stdout: "", stderr: "" };
  child.stdout?.on("data", (part: Buffer) => (said.stdout += part.toString()));
  child.stderr?.on("data", (part: Buffer) => (said.stderr += part.toString()));
  child.stdin?.end();
  const [code] = (await once(child, "close")) as [number | null];
  return { code, ...said };
};

const nft = (...args: string[]) => hosts.one.run("nft", args);
const load = (text: string) => hosts.one.run("nft", ["-f", "-"], text);
const listed = () => nft("-s", "list", "ruleset");

async function digest(): Promise<string | undefined> {
  const subject = `firewall:${table}`;
  return (await digestStates({ root: "/", run, privateKey: new Uint8Array(32) }, [subject])).get(subject);
}

test("a table comes where there was none, is replaced, comes back the same, and goes again", async () => {
  await load("table inet filter { chain input { type filter hook input priority 5; counter accept; }; }");
  const others = await listed();
  expect(await digest()).toBe("absent");
  expect(await changeFirewall.isApplied(ground, first)).toBe(false);
  const none = await changeFirewall.snapshot(ground, table);
  expect(none).toBeNull();
  await changeFirewall.validate(ground, first);
  await changeFirewall.prove(ground, table, none);
  expect(await listed()).toBe(others);

  await changeFirewall.apply(ground, first);
  expect(await changeFirewall.isApplied(ground, first)).toBe(true);
  expect(await changeFirewall.isApplied(ground, second)).toBe(false);
  const [before, all] = [await digest(), await listed()];
  const copy = await changeFirewall.snapshot(ground, table);

  await changeFirewall.validate(ground, second);
  await changeFirewall.prove(ground, table, copy);
  expect(await listed()).toBe(all);
  await changeFirewall.apply(ground, second);
  await changeFirewall.apply(ground, second);
  expect(await changeFirewall.isApplied(ground, second)).toBe(true);
  expect(await changeFirewall.isApplied(ground, first)).toBe(false);

  await changeFirewall.restore(ground, table, copy);
  await changeFirewall.restore(ground, table, copy);
  expect(await digest()).toBe(before);
  expect(await changeFirewall.isApplied(ground, first)).toBe(true);
  await changeFirewall.restore(ground, table, none);
  await changeFirewall.restore(ground, table, none);
  expect(await digest()).toBe("absent");
  expect(await listed()).toBe(others);
});

test.each([
  ["a chain", `add chain inet ${table} extra`],
  ["a rule", `add rule inet ${table} input accept`],
  ["a rule in front", `insert rule inet ${table} input drop`],
  ["a set", `add set inet ${table} s { type ipv4_addr; }`],
  ["a counter", `add counter inet ${table} c`],
  ["another policy", `add chain inet ${table} forward { policy drop; }`],
  ["nothing, because it is asleep", `add table inet ${table} { flags dormant; }`],
])("a table to which somebody has added %s is not as the operation says", async (_, text) => {
  await changeFirewall.apply(ground, first);
  expect(await changeFirewall.isApplied(ground, first)).toBe(true);
  await load(text);
  expect(await changeFirewall.isApplied(ground, first)).toBe(false);
  const [before, copy] = [await digest(), await changeFirewall.snapshot(ground, table)];
  await changeFirewall.apply(ground, first);
  expect(await changeFirewall.isApplied(ground, first)).toBe(true);
  await changeFirewall.prove(ground, table, copy);
  await changeFirewall.restore(ground, table, copy);
  expect(await digest()).toBe(before);
  expect(await changeFirewall.isApplied(ground, first)).toBe(false);
});

test("whatever table the schema lets through is made as it says, and comes back the same", async () => {
  const wide = fc.sample(anyOperation, { numRuns: 300, seed: 31 }).filter((one) => one.kind === "firewall.apply");
  const chains = fc.sample(fc.record({ input: smallChain, forward: smallChain }), { numRuns: 30, seed: 32 });
  const narrow = chains.map((both): FirewallApply => ({ kind: "firewall.apply", table, ...both }));
  const all = [...wide, ...narrow].map((one): FirewallApply => ({ ...one, table }));
  expect(all.length).toBeGreaterThan(50);
  for (const [index, operation] of all.entries()) {
    await changeFirewall.apply(ground, operation);
    expect(await changeFirewall.isApplied(ground, operation), `table ${index}`).toBe(true);
    const [before, copy] = [await digest(), await changeFirewall.snapshot(ground, table)];
    await changeFirewall.apply(ground, second);
    await changeFirewall.prove(ground, table, copy);
    await changeFirewall.restore(ground, table, copy);
    expect(await digest(), `table ${index}`).toBe(before);
  }
});

const byHand = `table inet ${table} {
  comment "made by hand"
  counter seen { comment "c" }
  quota q { over 10 mbytes }
  limit lim { rate 5/second }
  set blocked { type ipv4_addr; flags interval; auto-merge; comment "bad ones"; elements = { 203.0.113.0/24, 198.51.100.1-198.51.100.9 } }
  set dyn { type ipv4_addr; flags dynamic,timeout; timeout 1h; size 1000; counter; elements = { 10.9.9.9 timeout 30m comment "me" } }
  set tup { type ipv4_addr . inet_service; flags interval; elements = { 10.0.0.0/8 . 22-25 } }
  map ports { type inet_service : ipv4_addr; elements = { 80 : 10.0.0.1, 443 : 10.0.0.2 } }
  map verd { type inet_service : verdict; flags timeout; elements = { 22 timeout 2h : jump extra, 23 : drop } }
  chain input {
    type filter hook input priority 10; policy accept;
    iif lo counter name seen quota name q counter comment "täglich"
    ip saddr @blocked counter name seen drop
    tcp dport 22 limit rate 3/minute log prefix "ssh: " accept
    tcp dport vmap @verd
    meta skuid root accept
    ct state vmap { established : accept, invalid : drop }
    limit name lim accept
    jump extra
  }
  chain extra { accept; }
  chain nat { type nat hook prerouting priority dstnat; dnat ip to tcp dport map @ports; }
}
`;

test("a table that somebody made by hand comes back the same, and what has counted is no difference", async () => {
  await load(byHand);
  const before = await digest();
  await hosts.one.run("ping", ["-c", "1", "127.0.0.1"]);
  expect(await nft("list", "counter", "inet", table, "seen")).toMatch(/packets [1-9]/);
  expect(await digest()).toBe(before);
  const [all, copy] = [await listed(), await changeFirewall.snapshot(ground, table)];
  await changeFirewall.prove(ground, table, copy);
  await changeFirewall.apply(ground, first);
  expect(await digest()).not.toBe(before);
  await changeFirewall.restore(ground, table, copy);
  expect(await digest()).toBe(before);
  expect(await listed()).toBe(all);
});

test("what nft or the kernel refuses half way has changed nothing", async () => {
  await changeFirewall.apply(ground, first);
  const [before, all] = [await digest(), await listed()];
  const ends = ["chain z { jump nowhere\n\t}", "chain z { type nat hook forward priority 0;\n\t}", "set z { }"];
  for (const end of ends) {
    const copy = new TextEncoder().encode(`table inet ${table} {\n\tchain a {\n\t\taccept\n\t}\n\t${end}\n}\n`);
    await expect(changeFirewall.prove(ground, table, copy)).rejects.toThrow(/^snapshot\.unprovable: nft ended with 1/);
    await expect(changeFirewall.restore(ground, table, copy)).rejects.toThrow(
      /^restore\.failed: nft ended with 1.*Error/,
    );
    expect(await digest()).toBe(before);
    expect(await listed()).toBe(all);
  }
});

test.each([
  ["a comment that ends its line", { comment: 'x" accept; }; flush ruleset; #' }, "a"],
  ["a name that ends its line", {}, "a { }; }; flush ruleset; #"],
])("a table with %s is not kept: nft would not read back what it prints", async (_, more, name) => {
  const chain = { family: "inet", table, name };
  const rule = { family: "inet", table, chain: name, expr: [{ accept: null }], ...more };
  const nftables = [{ add: { table: { family: "inet", name: table } } }, { add: { chain } }, { add: { rule } }];
  const file = join(directory, "evil.json");
  writeFileSync(file, JSON.stringify({ nftables }));
  await nft("-j", "-f", file);
  await expect(changeFirewall.snapshot(ground, table)).rejects.toThrow(/^snapshot\.failed: .* cannot read back/);
});

test("tables that were kept are loaded at boot, each by itself", async () => {
  const tables = join(directory, "tables");
  const kept = { vfs: nodeVfs, tables };
  await keepTable(kept, { ...first, table: "gatehouse_a" });
  await keepTable(kept, { ...first, table: "gatehouse_c" });
  await keepTable(kept, { ...second, table: "gatehouse_c" });
  const b = "gatehouse_b";
  const broken = `add table inet ${b}\ndelete table inet ${b}\ntable inet ${b} {\n\tchain a { jump nowhere\n\t}\n}\n`;
  writeFileSync(join(tables, `${b}.nft`), broken);
  writeFileSync(join(tables, "other.nft"), "flush ruleset\n");
  expect(readdirSync(tables).toSorted()).toEqual([
    "gatehouse_a.nft",
    "gatehouse_b.nft",
    "gatehouse_c.nft",
    "other.nft",
  ]);
  const { loaded, failed, ignored } = await loadTables({ ...kept, run });
  expect(loaded).toEqual(["gatehouse_a.nft", "gatehouse_c.nft"]);
  expect(failed).toEqual([
    { name: "gatehouse_b.nft", why: expect.stringMatching(/^nft ended with 1 and said: .*Error/) },
  ]);
  expect(ignored).toEqual(["other.nft"]);
  expect(await changeFirewall.isApplied(ground, { ...first, table: "gatehouse_a" })).toBe(true);
  expect(await changeFirewall.isApplied(ground, { ...second, table: "gatehouse_c" })).toBe(true);
  expect(await nft("list", "tables")).not.toContain(b);
});

import { describe, expect, test } from "vitest";
import type { FirewallApply, FirewallChain } from "./firewall-table.ts";
import { findKeepFlaw, findKeepLoss, type KeepEntry, parseKeep } from "./keep.ts";
import type { FirewallRule } from "./rule.ts";

describe("what root writes", () => {
  test("a protocol, a port and a network are read", () => {
    const text = "tcp/22:192.0.2.0/24";
    expect(parseKeep(text)).toMatchObject({ text, protocol: "tcp", port: 22, prefix: { family: 4 } });
    expect(parseKeep("udp/65535:2001:db8::/32")).toMatchObject({
      protocol: "udp",
      port: 65_535,
      prefix: { family: 6 },
    });
    expect(parseKeep("tcp/22:::/0")).toMatchObject({ prefix: { family: 6 } });
    expect(findKeepFlaw("tcp/22:::/0")).toBeUndefined();
  });

  test.each([
    "",
    "tcp/22",
    "tcp:22:0.0.0.0/0",
    "icmp/22:0.0.0.0/0",
    "TCP/22:0.0.0.0/0",
    "tcp/0:0.0.0.0/0",
    "tcp/022:0.0.0.0/0",
    "tcp/65536:0.0.0.0/0",
    "tcp/22:192.0.2.1",
    "tcp/22:192.0.2.1/24",
    "tcp/22:0.0.0.0/33",
    "tcp/22:::/129",
    "tcp/22:[::]/0",
    "tcp/22:office",
    " tcp/22:::/0",
    "tcp/22:::/0\n",
  ])("%j is no entry, and it is said how one is written", (text) => {
    expect(parseKeep(text)).toBeUndefined();
    expect(findKeepFlaw(text)).toContain("tcp/22:192.0.2.0/24");
  });
});

const entries = (...texts: string[]) => texts.map((text) => parseKeep(text) as KeepEntry);
const everywhere = entries("tcp/22:0.0.0.0/0", "tcp/22:::/0");
const ssh: FirewallRule = { label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] };
const table = (policy: FirewallChain["policy"], ...rules: FirewallRule[]): FirewallApply => ({
  kind: "firewall.apply",
  table: "gatehouse_t",
  input: { policy, rules },
});
const lossOf = (firewall: FirewallApply, keep = everywhere) => findKeepLoss(firewall, keep)?.text;

test("a table that lets all of it in loses nothing, by its policy, by one rule or by several", () => {
  expect(lossOf(table("accept"))).toBeUndefined();
  expect(lossOf(table("drop", ssh))).toBeUndefined();
  expect(lossOf(table("drop", { label: "all", verdict: "accept" }))).toBeUndefined();
  const halves = ["0.0.0.0/1", "128.0.0.0/1", "::/0"].map((source) => ({ ...ssh, sources: [source] }));
  expect(lossOf(table("drop", ...halves))).toBeUndefined();
  expect(lossOf(table("drop"), [])).toBeUndefined();
});

test("the first entry that is lost is named, of IPv4 and of IPv6", () => {
  expect(lossOf(table("drop"))).toBe("tcp/22:0.0.0.0/0");
  expect(lossOf(table("drop", { ...ssh, sources: ["0.0.0.0/0"] }))).toBe("tcp/22:::/0");
  expect(lossOf(table("drop", { ...ssh, sources: ["::/0"] }))).toBe("tcp/22:0.0.0.0/0");
  expect(lossOf(table("accept", { ...ssh, verdict: "reject" }))).toBe("tcp/22:0.0.0.0/0");
});

test("a network of which one address is shut out is lost", () => {
  const bad: FirewallRule = { label: "bad", verdict: "drop", sources: ["192.0.2.7/32"] };
  const office = entries("tcp/22:192.0.2.0/24");
  expect(lossOf(table("drop", bad, ssh), office)).toBe("tcp/22:192.0.2.0/24");
  expect(lossOf(table("drop", ssh, bad), office)).toBeUndefined();
  expect(lossOf(table("drop", bad, ssh), entries("tcp/22:198.51.100.0/24"))).toBeUndefined();
});

test("a rule that accepts only in part does not count", () => {
  for (const partly of [
    { ...ssh, sources: ["192.0.2.0/24", "2001:db8::/32"] },
    { ...ssh, interfaces: ["eth0"] },
    { ...ssh, states: ["established" as const] },
    { ...ssh, ports: [{ from: 23, to: 65_535 }] },
    { ...ssh, protocol: "udp" as const },
  ]) {
    expect(lossOf(table("drop", partly))).toBe("tcp/22:0.0.0.0/0");
  }
});

test("a rule that drops on some interfaces counts as one that drops", () => {
  const some: FirewallRule = { label: "some", verdict: "drop", interfaces: ["eth0"] };
  expect(lossOf(table("drop", some, ssh))).toBe("tcp/22:0.0.0.0/0");
});

test("a new connection that is let in is lost when what follows is dropped", () => {
  const established: FirewallRule = { label: "later", verdict: "drop", states: ["established"] };
  expect(lossOf(table("drop", { ...ssh, states: ["new"] }))).toBe("tcp/22:0.0.0.0/0");
  expect(lossOf(table("accept", established))).toBe("tcp/22:0.0.0.0/0");
  expect(lossOf(table("drop", { ...ssh, states: ["new", "established"] }))).toBeUndefined();
});

test("what is kept of udp is not met by tcp", () => {
  const tunnel = entries("udp/51820:0.0.0.0/0");
  const open: FirewallRule = {
    label: "tunnel",
    verdict: "accept",
    protocol: "udp",
    ports: [{ from: 51_820, to: 51_820 }],
  };
  expect(lossOf(table("drop", open), tunnel)).toBeUndefined();
  expect(lossOf(table("drop", { ...open, protocol: "tcp" }), tunnel)).toBe("udp/51820:0.0.0.0/0");
});

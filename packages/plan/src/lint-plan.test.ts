import { expect, test } from "vitest";
import type { LintAround } from "./lint-finding.ts";
import { lintPlan, lintSection } from "./lint-plan.ts";
import type { Operation } from "./operations/table.ts";

const around = { ssh: null, management: [], controlPorts: [] };
const restart: Operation = { kind: "service.restart", unit: "nginx.service" };
const motd: Operation = { kind: "file.write", path: "/etc/motd", text: "", mode: "0644", owner: "root", group: "root" };

test("findings of a section say which operation they are about", () => {
  const found = lintSection([motd, restart, { ...motd, path: "/etc/crontab" }], around);
  expect(found.map(({ operation, code }) => [operation, code])).toEqual([
    [1, "service.not_undone"],
    [2, "file.equals_root"],
  ]);
});

test("a section that is about one part of the host twice is warned of, at the second", () => {
  expect(lintSection([motd, restart, motd, motd], around).filter(({ severity }) => severity === "warn")).toEqual(
    [2, 3].map((operation) => ({
      operation,
      severity: "warn",
      code: "section.subject_twice",
      says: "Operation 1 of this section is already about file:/etc/motd: what stays is what the last one does.",
    })),
  );
  const tail: Operation = { kind: "log.tail", source: { from: "file", path: "/var/log/syslog" }, lines: 1 };
  expect(lintSection([tail, tail], around).map(({ code }) => code)).toEqual(["log.leaves", "log.leaves"]);
});

test("an update of the agent has to be all that a section does", () => {
  const update: Operation = {
    kind: "agent.update",
    version: "0.3.0",
    architecture: "x64",
    sha256: "ab".repeat(32),
    size: 1,
    signature: { keyId: "cd".repeat(16), ed25519: `${"A".repeat(86)}==` },
  };
  expect(lintSection([update], around)).toEqual([]);
  expect(lintSection([motd, update], around)).toEqual([
    {
      operation: 1,
      severity: "refuse",
      code: "agent.alone",
      says: "A host updates its agent alone: it will refuse this section of 2 operations.",
    },
  ]);
});

test("an endpoint in what another interface of the section leads to is refused, whichever comes first", () => {
  const tunnel = (name: string, own: string, endpoint?: string): Operation => ({
    kind: "network.wireguard",
    interface: name,
    publicKey: null,
    listenPort: 51_820,
    addresses: [`${own}.1/24`],
    peers: [
      {
        label: "office",
        publicKey: `${"b".repeat(42)}A=`,
        allowedIps: [`${own}.2/32`],
        ...(endpoint !== undefined && { endpoint: { host: endpoint, port: 51_820 } }),
      },
    ],
  });
  const found = (...operations: Operation[]) =>
    lintSection(operations, around).map(({ operation, code, says }) => [operation, code, says]);
  const says = "The endpoint of office, 10.9.0.7, lies in what wg1 leads to: its packets would go into that tunnel.";
  const [inside, outer] = [tunnel("wg0", "10.8.0", "10.9.0.7"), tunnel("wg1", "10.9.0", "192.0.2.1")];
  expect(found(inside, outer)).toEqual([[0, "wireguard.endpoint_inside", says]]);
  expect(found(restart, outer, inside).slice(1)).toEqual([[2, "wireguard.endpoint_inside", says]]);
  expect(found(tunnel("wg0", "10.8.0", "10.10.0.7"), outer)).toEqual([]);
  expect(found(tunnel("wg0", "10.8.0"), outer)).toEqual([]);
});

test("a plan is judged node by node, each by what is known around it", () => {
  const firewall: Operation = { kind: "firewall.apply", table: "gatehouse_t", input: { policy: "accept", rules: [] } };
  const sections = ["node_b", "node_a"].map((node) => ({ node, operations: [firewall] }));
  const ssh = { ports: [], peers: [] };
  const found = lintPlan(sections, (node) => (node === "node_a" ? around : { ...around, ssh }));
  expect(found.map(({ node, code }) => [node, code])).toEqual([
    ["node_b", "firewall.other_tables"],
    ["node_a", "firewall.ssh_unjudged"],
    ["node_a", "firewall.other_tables"],
  ]);
});

test("a host that takes no change, or the server's word, is told once for a section that changes something", () => {
  const codes = (accepts: LintAround["accepts"], operations = [motd, motd]) =>
    lintSection(operations, { ...around, ...(accepts === undefined ? {} : { accepts }) }).flatMap((finding) =>
      finding.code.startsWith("host.") ? [[finding.operation, finding.severity, finding.code]] : [],
    );
  expect(codes("none")).toEqual([[0, "warn", "host.takes_none"]]);
  expect(codes("server")).toEqual([[0, "note", "host.server_trusted"]]);
  for (const accepts of ["signed", null, undefined] as const) expect(codes(accepts)).toEqual([]);
  expect(codes("none", [])).toEqual([]);
});

test("what is said of the host stands before what is said of its operations, and in words for people", () => {
  const [first, second] = lintSection([restart], { ...around, accepts: "server" });
  expect(first?.says).toContain("whoever has the server can change what its ceiling lists");
  expect(second?.code).toBe("service.not_undone");
  expect(lintSection([restart], { ...around, accepts: "none" })[0]?.says).toContain("it will refuse this one");
});

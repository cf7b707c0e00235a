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

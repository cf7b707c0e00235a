import type { PlanFinding } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { sampleSection } from "../../widgets/PlanSections/sample-section.ts";
import { reachableOf } from "./reachable.ts";

const finding = (code: string, severity: PlanFinding["severity"], says = code): PlanFinding => ({
  code,
  severity,
  says,
  operation: 0,
  packet: null,
});
const other = finding("firewall.other_tables", "note");

test("paths of which the lint found nothing are kept on every host", () => {
  expect(reachableOf([sampleSection({ findings: [other] }), sampleSection()])).toMatchObject([
    { path: "Control connection", state: "ok", kept: 2, of: 2 },
    { path: "SSH", state: "ok", kept: 2, of: 2 },
    { path: "Programs on the host", state: "ok" },
    { path: "IPv6 neighbours", state: "ok" },
  ]);
});

test("a path that is lost on one host is lost, with the worst that was found and the hosts that keep it", () => {
  const findings = [
    finding("firewall.ssh_unjudged", "warn"),
    finding("firewall.ssh_cut", "refuse", "198.51.100.7 is cut."),
  ];
  const ssh = reachableOf([sampleSection({ findings }), sampleSection()]).find(({ path }) => path === "SSH");
  expect(ssh).toEqual({
    path: "SSH",
    state: "bad",
    says: "198.51.100.7 is cut.",
    code: "firewall.ssh_cut",
    kept: 1,
    of: 2,
  });
});

test("the server on a host is named only where the lint speaks of it", () => {
  const findings = [finding("firewall.control_partly", "warn")];
  expect(reachableOf([sampleSection({ findings })]).map(({ path }) => path)).toContain("Gatehouse server on the host");
});

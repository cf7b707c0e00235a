import { byteForm } from "@gatehouse/base";
import {
  firewallApply,
  type FirewallApply,
  type Operation,
  operationTitle,
  type PlanDocument,
  planDigest,
  planSchemaOf,
  renderFirewall,
  sectionDigest,
  subjectOf,
  usualPlaces,
  wordsOf,
} from "@gatehouse/plan";
import { expect, test } from "vitest";
import { agentPaths } from "../config.ts";
import { sha256 } from "../local/sha256.ts";
import { explainPlan } from "./explain-plan.ts";

const firewall: FirewallApply = firewallApply.schema.parse({
  kind: "firewall.apply",
  table: "gatehouse_web",
  input: {
    policy: "drop",
    rules: [{ label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] }],
  },
});
const restart: Operation = { kind: "service.restart", unit: "web.service" };
const file: Operation = {
  kind: "file.write",
  path: "/etc/web.conf",
  text: "listen 80\nlisten 443\n",
  mode: "0644",
  owner: "root",
  group: "root",
};
const tail: Operation = { kind: "log.tail", source: { from: "file", path: "/var/log/web.log" }, lines: 5 };
const update: Operation = {
  kind: "agent.update",
  version: "1.2.3",
  architecture: "x64",
  sha256: "a".repeat(64),
  size: 1,
  signature: { keyId: "b".repeat(32), ed25519: `${"A".repeat(86)}==` },
};
const [one, other] = ["node_00000000000000000000000001", "node_00000000000000000000000002"];

function sectionFor(node: string, operations: readonly Operation[]) {
  const subjects = operations.flatMap((operation) => subjectOf(operation) ?? []);
  return {
    node,
    operations: [...operations],
    preconditions: subjects.toSorted().map((subject) => ({ subject, state: "absent" as const })),
  };
}

const plan = (...sections: ReturnType<typeof sectionFor>[]): PlanDocument => ({
  header: {
    schema: planSchemaOf(sections.flatMap(({ operations }) => operations)),
    title: "Web",
    summary: "The firewall of the web servers.",
    source: { from: "person" },
  },
  sections,
});
const { directory } = usualPlaces;

test("what is told of a host without a root of its own are the places that every host has", () => {
  const { snapshots, tables, wireguard } = agentPaths("/");
  expect(usualPlaces).toEqual({ directory: `${snapshots}/TASK`, tables, wireguard });
});

test("a section is told in the words of its review, with the text and every program", () => {
  const section = sectionFor(one, [firewall]);
  const { ok, lines, json } = explainPlan(byteForm(section), usualPlaces);
  expect(ok).toBe(true);
  const text = renderFirewall(firewall);
  const indented = text
    .trimEnd()
    .split("\n")
    .map((line) => `       ${line}`);
  const apply = `${directory}/apply-gatehouse_web.nft`;
  const kept = `${usualPlaces.tables}/gatehouse_web.nft`;
  expect(lines).toEqual([
    `Section ${sectionDigest(sha256, section)}`,
    "",
    one,
    `  ${operationTitle(firewall, 0)}`,
    ...wordsOf(firewall).map((line) => `       ${line}`),
    `     writes ${apply}:`,
    ...indented,
    `     writes ${kept}:`,
    ...indented,
    "     starts:",
    "       nft -j -s list table inet gatehouse_web  # whether the host is as the plan says",
    `       nft -c -f ${apply}  # whether it can be made`,
    "       nft -j -s list table inet gatehouse_web  # what is there now",
    "       nft -s list table inet gatehouse_web  # what is there now",
    `       nft -c -f ${directory}/restore-gatehouse_web.nft  # whether that could be put back`,
    `       nft -f ${apply}  # the change`,
    "       nft -j -s list table inet gatehouse_web  # whether it is made",
    "       nft -s list table inet gatehouse_web  # whether it is made",
    `       nft -f ${directory}/restore-gatehouse_web.nft  # only to take it back`,
    `       nft -f ${kept}  # at every boot, once it is confirmed`,
  ]);
  expect(json).toMatchObject({
    digest: sectionDigest(sha256, section),
    sections: [
      {
        node: one,
        operations: [
          {
            kind: "firewall.apply",
            words: wordsOf(firewall),
            files: [
              { path: apply, text },
              { path: kept, text },
            ],
          },
        ],
      },
    ],
  });
});

test("a file is told with what it will hold, and a service with the programs alone", () => {
  const { ok, lines } = explainPlan(byteForm(sectionFor(one, [file, restart])), usualPlaces);
  expect(ok).toBe(true);
  const [ofFile, ofService] = [lines.indexOf("  1. file.write  file:/etc/web.conf"), lines.findIndex(isSecond)];
  expect(lines.slice(ofFile + 2, ofService)).toEqual([
    "     writes /etc/web.conf:",
    "       listen 80",
    "       listen 443",
  ]);
  const told = lines.slice(ofService).join("\n");
  expect(told).toContain("     starts:\n       systemctl show web.service");
  expect(told).toContain("       systemctl restart web.service  # the change");
  expect(told).not.toContain("writes");
});

const isSecond = (line: string) => line.startsWith("  2. ");

test("a plan is told by its digest and node by node", () => {
  const document = plan(sectionFor(one, [firewall, restart, tail]), sectionFor(other, [update]));
  const { ok, lines, json } = explainPlan(byteForm(document), usualPlaces);
  expect(ok).toBe(true);
  expect(lines[0]).toBe(`Plan ${planDigest(sha256, document)}`);
  expect(lines.filter((line) => line.startsWith("node_"))).toEqual([one, other]);
  expect(lines).toContain("  2. service.restart  service:web.service");
  expect(lines).toContain("       systemctl restart --no-block gatehouse-helper.service  # whether it is made");
  expect(json).toMatchObject({
    sections: [
      {
        operations: [{}, { kind: "service.restart", files: [] }, { kind: "log.tail", files: [], programs: [] }],
      },
      { operations: [{ kind: "agent.update", files: [] }] },
    ],
  });
});

test.each([
  ["nothing", new Uint8Array(), "plan.form"],
  [
    "another spelling of a plan",
    new TextEncoder().encode(JSON.stringify(plan(sectionFor(one, [firewall])))),
    "plan.form",
  ],
  ["a plan with another field", byteForm({ ...plan(sectionFor(one, [firewall])), more: 1 }), "plan.schema"],
  ["a section with another field", byteForm({ ...sectionFor(one, [firewall]), more: 1 }), "plan.schema"],
  ["a table of somebody else", byteForm(sectionFor(one, [{ ...firewall, table: "filter" }])), "plan.schema"],
  ["a list", byteForm([]), "plan.schema"],
  ["a word", byteForm("plan"), "plan.schema"],
  ["no value", byteForm(null), "plan.schema"],
])("%s is refused, and nothing is explained", (_, bytes, code) => {
  expect(() => explainPlan(bytes, usualPlaces)).toThrow(`${code}: expected`);
});

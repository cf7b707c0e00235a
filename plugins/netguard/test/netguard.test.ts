import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { actionLimits, describeResult, healthResult } from "@gatehouse/contract/broker";
import {
  draftDigest,
  findCapabilityGaps,
  type FirewallRule,
  planLimits,
  readPlanDraft,
  renderFirewall,
  subjectsOf,
} from "@gatehouse/plan";
import type { Json, PlanNode, PlanQuestion } from "@gatehouse/plugin-sdk";
import { describe, expect, test } from "vitest";
import { baseRules } from "../src/base-rules.ts";
import { netguardInput, type NetguardInput } from "../src/input.ts";
import { netguard, version } from "../src/netguard.ts";
import { planFirewall } from "../src/plan-firewall.ts";
import { nodeIds, sampleInput, sampleNodes, sampleQuestion } from "./sample-input.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const silent = new Proxy({}, { get: () => expect.fail("a plan asked the broker") }) as never;

const rulesOf = (question: NetguardQuestion, node = 0): readonly FirewallRule[] => {
  const [operation] = planFirewall(question).sections[node]?.operations ?? [];
  return operation?.kind === "firewall.apply" ? operation.input.rules : [];
};
const labels = (question: NetguardQuestion, node = 0) => rulesOf(question, node).map(({ label }) => label);
const ofNode = (all: readonly string[]) => all.slice(baseRules.length);
const withInput = (changes: object): NetguardQuestion => ({
  nodes: sampleNodes,
  input: netguardInput.parse({ ...sampleInput, ...changes }),
});
const digestOf = (input: unknown, nodes: readonly PlanNode[] = sampleNodes) => {
  const draft = readPlanDraft(planFirewall({ input: netguardInput.parse(input), nodes }));
  if (!draft.ok) throw new Error(draft.reason);
  return draftDigest(sha256, draft.value);
};

type NetguardQuestion = PlanQuestion<NetguardInput>;

describe("a plan of netguard", () => {
  test("is a draft that the server takes, and holds nothing its manifest does not declare", async () => {
    const draft = readPlanDraft(await netguard.actions.plan(silent, sampleQuestion));
    if (!draft.ok) throw new Error(draft.reason);
    const description = JSON.parse(readFileSync(join(import.meta.dirname, "../plugin.json"), "utf8")) as Description;
    expect(findCapabilityGaps(draft.value, description.capabilities)).toEqual([]);
    expect(description.capabilities).toEqual(["host:firewall"]);
    expect(description.version).toBe(version);
    expect(draft.value.sections.map(({ node, operations }) => [node, subjectsOf(operations)])).toEqual(
      nodeIds.map((id) => [id, ["firewall:gatehouse_netguard"]]),
    );
    expect(draft.value).toMatchObject({
      title: "Firewall for 2 nodes",
      summary: expect.stringContaining("Opens 3 services") as string,
    });
  });

  test("keeps its digest: the same question gives the same plan, today and on any machine", () => {
    expect(digestOf(sampleInput)).toMatchInlineSnapshot(
      `"c004fe19d5bba82ffe36fcb46cf4b313d92226df59037b4d0be405db4f09bfd4"`,
    );
    expect(digestOf(JSON.parse(JSON.stringify(sampleInput)))).toBe(digestOf(sampleInput));
  });

  test("does not depend on the order in which names were written down", () => {
    const shuffled = {
      control: sampleInput.control,
      allow: sampleInput.allow.toReversed().map((one) => ({ ...one, from: one.from.toReversed() })),
      services: Object.fromEntries(Object.entries(sampleInput.services).toReversed()),
      zones: Object.fromEntries(Object.entries(sampleInput.zones).toReversed()),
      ssh: { ports: sampleInput.ssh.ports.toReversed() },
    };
    expect(digestOf(shuffled)).toBe(digestOf(sampleInput));
  });

  test("is the same before and after the hosts have said what they are like", () => {
    const states = [{ subject: "firewall:gatehouse_netguard", state: "d0".repeat(32) }];
    const told = sampleNodes.map((node) => ({ ...node, states }));
    expect(digestOf(sampleInput, told)).toBe(digestOf(sampleInput));
  });

  test("is for the nodes of the question: without any it is refused, and so are too many", async () => {
    await expect(netguard.actions.plan(silent, { input: sampleInput, nodes: [] })).rejects.toThrow(
      /^nodes: must be at least one/,
    );
    const [alpha] = sampleNodes;
    const nodes = Array.from({ length: planLimits.sections + 1 }, (_, at) => ({
      ...alpha,
      id: `node_${String(at).padStart(26, "0")}`,
    }));
    expect(() => planFirewall({ input: sampleInput, nodes })).toThrow(/^nodes: must be at most 10000 in one plan$/);
    const { allow: _, control: __, ...sshAlone } = sampleInput;
    const largest = planFirewall({ input: { ...sshAlone, allow: [] }, nodes: nodes.slice(1) });
    expect(JSON.stringify(largest).length).toBeLessThan(actionLimits.outputBytes.plan);
  });
});

describe("the rules of a node", () => {
  test("are the ground, SSH, the control server, and then what was allowed", () => {
    expect(labels(sampleQuestion)).toEqual([
      ...baseRules.map(({ label }) => label),
      "ssh from any",
      "control from any",
      "web from any",
      "wireguard from any",
    ]);
    expect(ofNode(labels(sampleQuestion, 1))).toEqual([
      "ssh from any",
      "postgres from inside",
      "postgres from office",
      "wireguard from any",
    ]);
  });

  test("keep SSH from the zones that were named, on every node", () => {
    const question = withInput({ ssh: { ports: [22], from: ["office", "inside"] }, allow: [] });
    for (const node of [0, 1]) {
      const ssh = rulesOf(question, node).filter(({ label }) => label.startsWith("ssh"));
      expect(ssh.map(({ label, ports }) => [label, ports])).toEqual([
        ["ssh from inside", [{ from: 22, to: 22 }]],
        ["ssh from office", [{ from: 22, to: 22 }]],
      ]);
    }
  });

  test("are those of its tags: one of them is enough, and without tags an entry is for every node", () => {
    const allowed = (tags: object, node: number) =>
      ofNode(labels(withInput({ allow: [{ service: "web", from: ["any"], ...tags }] }), node)).includes("web from any");
    expect([allowed({}, 0), allowed({}, 1)]).toEqual([true, true]);
    expect([allowed({ tags: ["db", "other"] }, 0), allowed({ tags: ["db", "other"] }, 1)]).toEqual([false, true]);
    expect([allowed({ tags: ["nobody"] }, 0), allowed({ tags: ["nobody"] }, 1)]).toEqual([false, false]);
    const twice = withInput({
      allow: [
        { service: "web", from: ["any"], tags: ["web"] },
        { service: "web", from: ["any"], tags: ["control"] },
      ],
    });
    expect(ofNode(labels(twice)).filter((label) => label === "web from any")).toHaveLength(1);
    expect(ofNode(labels(withInput({ control: { ports: [443], tags: ["db"] } }), 1))).toContain("control from any");
    expect(planFirewall(withInput({ allow: [{ service: "web", from: ["any"], tags: ["nobody"] }] })).summary).toContain(
      "Opens 0 services",
    );
  });

  test("drop nothing that was answered, and refuse whatever is not allowed", () => {
    const [operation] = planFirewall(sampleQuestion).sections[0]?.operations ?? [];
    expect(operation).toMatchObject({ table: "gatehouse_netguard", input: { policy: "drop" } });
    expect(operation).not.toHaveProperty("forward");
    expect(
      rulesOf(sampleQuestion)
        .filter(({ verdict }) => verdict !== "accept")
        .map(({ label }) => label),
    ).toEqual(["not a connection"]);
  });

  test("join ports that overlap or touch, because nftables refuses them", () => {
    const services = {
      web: {
        protocol: "tcp" as const,
        ports: [
          { from: 8080, to: 8090 },
          { from: 80, to: 81 },
          { from: 82, to: 82 },
          { from: 8085, to: 9000 },
        ],
      },
    };
    const question = withInput({ services, allow: [{ service: "web", from: ["any"] }] });
    expect(rulesOf(question).at(-1)?.ports).toEqual([
      { from: 80, to: 82 },
      { from: 8080, to: 9000 },
    ]);
  });
});

describe("an input", () => {
  const ask = (input: unknown) =>
    netguard.actions.plan(silent, { ...sampleQuestion, input: JSON.parse(JSON.stringify(input)) as Json });
  const changed = (changes: object): unknown => ({ ...sampleInput, ...changes });

  test.each([
    ["without SSH", changed({ ssh: undefined }), /^ssh: /],
    ["with SSH from nowhere", changed({ ssh: { ports: [22], from: [] } }), /^ssh\.from: /],
    [
      "with SSH from a zone that is not there",
      changed({ ssh: { ports: [22], from: ["mars"] } }),
      /^ssh: names the zone mars/,
    ],
    ["with SSH on no port", changed({ ssh: { ports: [] } }), /^ssh\.ports: /],
    [
      "with a service that is not there",
      changed({ allow: [{ service: "ftp", from: ["any"] }] }),
      /^allow\.0: names the service ftp, which is not defined/,
    ],
    [
      "with a service that is not there, for a tag that nobody has",
      changed({ allow: [{ service: "ftp", from: ["any"], tags: ["nobody"] }] }),
      /^allow\.0: names the service ftp, which is not defined/,
    ],
    [
      "with a zone that is not there",
      changed({ allow: [{ service: "web", from: ["mars"] }] }),
      /^allow\.0: names the zone mars, which is not defined/,
    ],
    ["with tags that are none", changed({ allow: [{ service: "web", from: ["any"], tags: [] }] }), /^allow\.0\.tags: /],
    ["with a control server on every node", changed({ control: { ports: [8088] } }), /^control\.tags: /],
    ["with a list of nodes of its own", changed({ nodes: [] }), /^nodes: is no field here/],
    [
      "with its own idea of any",
      { ...sampleInput, zones: { any: { sources: ["10.0.0.0/8"] } } },
      /^zones: must not define any/,
    ],
    [
      "with an empty zone",
      { ...sampleInput, zones: { office: {} } },
      /^zones\.office: must have sources or interfaces/,
    ],
    ["with a raw rule", { ...sampleInput, raw: "flush ruleset" }, /^raw: is no field here/],
  ])("%s is refused by name", async (_, input, message) => {
    await expect(ask(input)).rejects.toThrow(message);
  });

  test("cannot put a word of its own into the text for nft", async () => {
    const hostile = ['"; flush ruleset; #', "a\nb", "-f", "@x", "a b", "{", "a'b", "\u202ea", "a;b", "$(id)", "ä"];
    const names: [string, (evil: string) => unknown][] = [
      ["zone", (evil) => ({ ...sampleInput, zones: { [evil]: { sources: ["10.0.0.0/8"] } } })],
      [
        "interface",
        (evil) => ({ ...sampleInput, zones: { office: { interfaces: [evil] }, inside: { interfaces: ["lo"] } } }),
      ],
      [
        "source",
        (evil) => ({ ...sampleInput, zones: { office: { sources: [evil] }, inside: { interfaces: ["lo"] } } }),
      ],
      [
        "service",
        (evil) => ({ ...sampleInput, services: { ...sampleInput.services, [evil]: sampleInput.services.web } }),
      ],
      ["allowed", (evil) => changed({ allow: [{ service: evil, from: ["any"] }] })],
      ["tag", (evil) => changed({ allow: [{ service: "web", from: ["any"], tags: [evil] }] })],
    ];
    for (const [, make] of names) {
      for (const evil of hostile) await expect(ask(make(evil))).rejects.toThrow();
    }
    for (const { operations } of planFirewall(sampleQuestion).sections) {
      for (const operation of operations) {
        const text = operation.kind === "firewall.apply" ? renderFirewall(operation) : "";
        expect(text).toMatch(/^[\x20-\x7e\n]+$/);
      }
    }
  });
});

test("it says what it is and how it is, without asking anybody", async () => {
  expect(describeResult.parse(await netguard.actions.describe(silent))).toMatchObject({ name: "Netguard", version });
  expect(healthResult.parse(await netguard.actions.health(silent))).toEqual({ status: "ok" });
});

interface Description {
  readonly version: string;
  readonly capabilities: Parameters<typeof findCapabilityGaps>[1];
}

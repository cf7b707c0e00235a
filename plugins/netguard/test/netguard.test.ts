import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import {
  finishPlan,
  findCapabilityGaps,
  type FirewallRule,
  planDigest,
  readPlanDraft,
  renderFirewall,
} from "@gatehouse/plan";
import type { Json } from "@gatehouse/plugin-sdk";
import { describe, expect, test } from "vitest";
import { baseRules } from "../src/base-rules.ts";
import { netguardInput, type NetguardInput, type NetguardNode } from "../src/input.ts";
import { netguard, version } from "../src/netguard.ts";
import { planFirewall } from "../src/plan-firewall.ts";
import { nodeIds, sampleInput } from "./sample-input.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
const silent = new Proxy({}, { get: () => expect.fail("a plan asked the broker") }) as never;

const rulesOf = (input: NetguardInput, node = 0): readonly FirewallRule[] => {
  const [operation] = planFirewall(input).sections[node]?.operations ?? [];
  return operation?.kind === "firewall.apply" ? operation.input.rules : [];
};
const labels = (input: NetguardInput, node = 0) => rulesOf(input, node).map(({ label }) => label);
const digestOf = (input: unknown) => {
  const draft = readPlanDraft(planFirewall(netguardInput.parse(input)));
  if (!draft.ok) throw new Error(draft.reason);
  return planDigest(sha256, finishPlan(draft.value, { from: "person" }));
};

const nodes = netguardInput.parse(sampleInput).nodes as [NetguardNode, NetguardNode];

describe("a plan of netguard", () => {
  test("is a draft that the server takes, and holds nothing its manifest does not declare", async () => {
    const draft = readPlanDraft(await netguard.actions.plan(silent, sampleInput));
    if (!draft.ok) throw new Error(draft.reason);
    const description = JSON.parse(readFileSync(join(import.meta.dirname, "../plugin.json"), "utf8")) as Description;
    expect(findCapabilityGaps(draft.value, description.capabilities)).toEqual([]);
    expect(description.capabilities).toEqual(["host:firewall"]);
    expect(description.version).toBe(version);
    expect(draft.value.sections.map(({ node, preconditions }) => [node, preconditions])).toEqual([
      [nodeIds[0], [{ subject: "firewall:gatehouse_netguard", state: "absent" }]],
      [nodeIds[1], [{ subject: "firewall:gatehouse_netguard", state: "c0".repeat(32) }]],
    ]);
  });

  test("keeps its digest: the same recorded input gives the same plan, today and on any machine", () => {
    expect(digestOf(sampleInput)).toMatchInlineSnapshot(
      `"8b86a5e427b98a1e9a40f57ba0d86dc1ed962e0c725ed25f3c36a7902b7f8d8b"`,
    );
    expect(digestOf(JSON.parse(JSON.stringify(sampleInput)))).toBe(digestOf(sampleInput));
  });

  test("does not depend on the order in which names were written down", () => {
    const [first, second] = nodes;
    const shuffled = {
      services: Object.fromEntries(Object.entries(sampleInput.services).toReversed()),
      nodes: [
        { ...second, ssh: { ...second.ssh, from: second.ssh.from?.toReversed() } },
        { ...first, allow: first.allow.toReversed() },
      ],
      zones: Object.fromEntries(Object.entries(sampleInput.zones).toReversed()),
    };
    expect(digestOf(shuffled)).toBe(digestOf(sampleInput));
  });

  test("depends on the state the hosts were found in", () => {
    const [first, second] = nodes;
    expect(digestOf({ ...sampleInput, nodes: [{ ...first, state: "d0".repeat(32) }, second] })).not.toBe(
      digestOf(sampleInput),
    );
  });
});

describe("the rules of a node", () => {
  test("are the ground, SSH, the control server, and then what was allowed", () => {
    expect(labels(sampleInput)).toEqual([
      ...baseRules.map(({ label }) => label),
      "ssh from any",
      "control from any",
      "web from any",
      "wireguard from any",
    ]);
    expect(labels(sampleInput, 1).slice(baseRules.length)).toEqual([
      "ssh from inside",
      "ssh from office",
      "postgres from inside",
      "postgres from office",
    ]);
  });

  test("drop nothing that was answered, and refuse whatever is not allowed", () => {
    const [operation] = planFirewall(sampleInput).sections[0]?.operations ?? [];
    expect(operation).toMatchObject({ table: "gatehouse_netguard", input: { policy: "drop" } });
    expect(operation).not.toHaveProperty("forward");
    expect(
      rulesOf(sampleInput)
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
    const [node] = sampleInput.nodes;
    const input = netguardInput.parse({
      ...sampleInput,
      services,
      nodes: [{ ...node, allow: [{ service: "web", from: ["any"] }] }],
    });
    expect(rulesOf(input).at(-1)?.ports).toEqual([
      { from: 80, to: 82 },
      { from: 8080, to: 9000 },
    ]);
  });
});

describe("an input", () => {
  const [node] = sampleInput.nodes;
  const withNode = (changes: object): Json => ({ ...sampleInput, nodes: [{ ...node, ...changes }] });

  test.each([
    ["without SSH", withNode({ ssh: undefined as never }), /^nodes\.0\.ssh: /],
    ["with SSH from nowhere", withNode({ ssh: { ports: [22], from: [] } }), /^nodes\.0\.ssh\.from: /],
    ["with SSH on no port", withNode({ ssh: { ports: [] } }), /^nodes\.0\.ssh\.ports: /],
    [
      "with a service that is not there",
      withNode({ allow: [{ service: "ftp", from: ["any"] }] }),
      /service ftp, which is not defined/,
    ],
    [
      "with a zone that is not there",
      withNode({ allow: [{ service: "web", from: ["mars"] }] }),
      /zone mars, which is not defined/,
    ],
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
    ["with a node twice", { ...sampleInput, nodes: [node, node] }, /^nodes: must not name a node twice/],
    ["with a raw rule", { ...sampleInput, raw: "flush ruleset" }, /^raw: is no field here/],
  ])("%s is refused by name", async (_, input, message) => {
    await expect(netguard.actions.plan(silent, JSON.parse(JSON.stringify(input)) as Json)).rejects.toThrow(message);
  });

  test("cannot put a word of its own into the text for nft", async () => {
    const hostile = ['"; flush ruleset; #', "a\nb", "-f", "@x", "a b", "{", "a'b", "\u202ea", "a;b", "$(id)", "ä"];
    const names: [string, (evil: string) => Json][] = [
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
      ["allowed", (evil) => withNode({ allow: [{ service: evil, from: ["any"] }] })],
      ["node", (evil) => withNode({ id: evil })],
      ["state", (evil) => withNode({ state: evil })],
    ];
    for (const [, make] of names) {
      for (const evil of hostile) await expect(netguard.actions.plan(silent, make(evil))).rejects.toThrow();
    }
    for (const { operations } of planFirewall(sampleInput).sections) {
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

import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import {
  draftDigest,
  findCapabilityGaps,
  type NetworkWireguard,
  readPlanDraft,
  renderWireguard,
} from "@gatehouse/plan";
import type { Json, PlanNode, PlanQuestion } from "@gatehouse/plugin-sdk";
import { describe, expect, test } from "vitest";
import { mostNodes, wireguardInput, type WireguardInput } from "../src/input.ts";
import { nodeAddresses } from "../src/node-addresses.ts";
import { planNetwork } from "../src/plan-network.ts";
import { version, wireguard } from "../src/wireguard.ts";
import { brokerWith } from "./memory-broker.ts";
import {
  firstQuestion,
  hubInput,
  hubQuestion,
  keyedNodes,
  keys,
  nodeIds,
  sampleInput,
  sampleNodes,
  sampleQuestion,
} from "./sample-input.ts";

const sha256 = (bytes: Uint8Array) => new Uint8Array(createHash("sha256").update(bytes).digest());
/** Asked for the nodes that the input names, with the keys of their hosts. */
const asked = (input: WireguardInput, nodes: readonly PlanNode[] = keyedNodes) => planNetwork({ input, nodes });
const digestOf = (input: unknown) => {
  const draft = readPlanDraft(asked(wireguardInput.parse(input)));
  if (!draft.ok) throw new Error(draft.reason);
  return draftDigest(sha256, draft.value);
};
const interfaceOf = (input: WireguardInput, node: number): NetworkWireguard => {
  const [operation] = asked(input).sections[node]?.operations ?? [];
  if (operation?.kind !== "network.wireguard") throw new Error("there is no interface");
  return operation;
};

describe("a mesh", () => {
  test("joins everybody with everybody by public keys", () => {
    const alpha = interfaceOf(sampleInput, 0);
    expect(alpha).toMatchObject({
      interface: "wg0",
      publicKey: keys[0],
      listenPort: 51_820,
      addresses: ["10.9.0.1/24", "fd09::1/64"],
    });
    expect(alpha.peers).toEqual([
      {
        label: "beta",
        publicKey: keys[1],
        endpoint: { host: "2001:db8::2", port: 51_820 },
        allowedIps: ["10.9.0.2/32", "fd09::2/128"],
      },
      { label: "gamma", publicKey: keys[2], allowedIps: ["10.9.0.3/32", "192.168.7.0/24", "fd09::3/128"] },
    ]);
    expect(interfaceOf(sampleInput, 2).peers.map(({ label, keepaliveSeconds }) => [label, keepaliveSeconds])).toEqual([
      ["alpha", 25],
      ["beta", 25],
    ]);
  });

  test("is asked for twice: first it says of whom a key is wanted, and joins nobody", () => {
    const first = asked(sampleInput, sampleNodes);
    expect(first.summary).toBe("Would join 3 nodes as a mesh, once their hosts have told their public keys.");
    expect(first.sections.map(({ node }) => node)).toEqual(nodeIds);
    for (const { operations } of first.sections) {
      expect(operations).toMatchObject([{ kind: "network.wireguard", interface: "wg0", publicKey: null, peers: [] }]);
    }
    expect(asked(sampleInput).summary).toBe("Joins 3 nodes as a mesh.");
  });

  test("refuses by name a node whose host has told no key, or the key of another", () => {
    const [alpha, beta, gamma] = keyedNodes;
    const plan = (states: PlanNode["states"]) => () => asked(sampleInput, [alpha, { ...beta, states }, gamma]);
    const untold = `nodes: beta (${nodeIds[1]}) has told no public key for wg0`;
    expect(plan([])).toThrow(untold);
    expect(plan([{ subject: "wireguard:wg0", state: "absent" }])).toThrow(untold);
    expect(plan([{ subject: "wireguard:wg1", state: "5e".repeat(32), publicKey: keys[1] }])).toThrow(untold);
    expect(plan(alpha.states)).toThrow("nodes: alpha and beta have told one and the same key");
  });

  test("names its peers by the names of their nodes, in plain characters", () => {
    const [alpha, beta, gamma] = keyedNodes;
    const labelOf = (name: string) => {
      const [operation] = asked(sampleInput, [alpha, { ...beta, name }, gamma]).sections[0]?.operations ?? [];
      return operation?.kind === "network.wireguard" ? operation.peers[0]?.label : undefined;
    };
    const digits = nodeIds[1].slice(-8);
    expect(labelOf("web 2.example_b")).toBe("web 2.example_b");
    expect(labelOf("Büro ✓")).toBe(`B-ro - ${digits}`);
    expect(labelOf("…")).toBe(digits);
    expect(labelOf("x".repeat(64))).toBe(`${"x".repeat(23)} ${digits}`);
    expect(labelOf("-leading")).toBe(`leading ${digits}`);
  });

  test("of two nodes that both wait to be called is refused", () => {
    const [alpha, beta, gamma] = sampleInput.nodes;
    const { endpoint: _, ...silent } = beta as WireguardInput["nodes"][number];
    const input = wireguardInput.parse({ ...sampleInput, nodes: [alpha, silent, gamma] });
    expect(() => asked(input)).toThrow("neither beta nor gamma has an endpoint");
  });
});

describe("a hub", () => {
  test("is the only peer of the others, and has all of them", () => {
    expect(interfaceOf(hubInput, 0).peers.map(({ label }) => label)).toEqual(["beta", "gamma"]);
    expect(interfaceOf(hubInput, 1).peers).toEqual([
      {
        label: "alpha",
        publicKey: keys[0],
        endpoint: { host: "192.0.2.1", port: 51_820 },
        allowedIps: ["10.9.0.0/24", "192.168.7.0/24", "fd09::/64"],
      },
    ]);
    // What lies behind a node is not sent away from it.
    expect(interfaceOf(hubInput, 2).peers[0]?.allowedIps).toEqual(["10.9.0.0/24", "fd09::/64"]);
  });

  test("needs to be one of the nodes, and to be reachable", () => {
    const hub = (id: string) => ({
      ...hubInput,
      network: { ...hubInput.network, shape: { form: "hub" as const, hub: id } },
    });
    expect(() => asked(hub(nodeIds[2]))).toThrow("gamma is the hub and needs an endpoint");
    expect(() => asked(hub(`node_${"0".repeat(26)}`))).toThrow("must be one of the nodes");
  });
});

describe("a plan of wireguard", () => {
  test("is a draft that the server takes, and holds nothing its manifest does not declare", async () => {
    const description = JSON.parse(readFileSync(join(import.meta.dirname, "../plugin.json"), "utf8")) as Description;
    expect(description.version).toBe(version);
    for (const question of [firstQuestion, sampleQuestion, hubQuestion]) {
      const draft = readPlanDraft(await wireguard.actions.plan(brokerWith().broker, question as PlanQuestion));
      if (!draft.ok) throw new Error(draft.reason);
      expect(findCapabilityGaps(draft.value, description.capabilities)).toEqual([]);
    }
  });

  test("is for the nodes of the question and of the input, which are the same: whoever differs is named", async () => {
    const [alpha, beta, gamma] = keyedNodes;
    const delta = { ...gamma, id: `node_${"0".repeat(25)}4`, name: "delta" } as PlanNode;
    const plan = (...nodes: (PlanNode | undefined)[]) =>
      wireguard.actions.plan(brokerWith().broker, { ...sampleQuestion, nodes: nodes.flatMap((node) => node ?? []) });
    await expect(plan(alpha, beta, gamma)).resolves.toMatchObject({ sections: [{}, {}, {}] });
    await expect(plan(alpha, gamma)).rejects.toThrow(
      `nodes: ${nodeIds[1]} is in the input, and the plan is not asked for it`,
    );
    await expect(plan(alpha, beta, gamma, delta)).rejects.toThrow(
      `nodes: the plan is asked for delta (${delta.id}), which is not in the input`,
    );
    await expect(plan()).rejects.toThrow(`nodes: ${nodeIds[0]} is in the input`);
  });

  test("keeps its digest: the same question gives the same plan, today and on any machine", () => {
    expect(digestOf(sampleInput)).toMatchInlineSnapshot(
      `"0e7879ac3366681084fdbafa57d4eeb9648a9c575c905a737b99521cac23271e"`,
    );
    expect(digestOf(hubInput)).toMatchInlineSnapshot(
      `"df8f335650f4ab6f2c18ffa3ce9d507e695b9ddb8bd7939a9488e4a0bee3d362"`,
    );
    expect(digestOf({ ...sampleInput, nodes: sampleInput.nodes.toReversed() })).toBe(digestOf(sampleInput));
  });

  test("has no key in its input: whoever types one is refused", () => {
    const [alpha, ...others] = sampleInput.nodes;
    for (const field of ["privateKey", "publicKey"]) {
      const input = { ...sampleInput, nodes: [{ ...alpha, [field]: keys[0] }, ...others] };
      expect(wireguardInput.safeParse(input).success).toBe(false);
    }
  });

  test("has no private key anywhere, in its input, its operations or its texts", () => {
    expect(JSON.stringify(wireguardInput.parse(sampleInput))).not.toMatch(/private/i);
    for (const node of [0, 1, 2])
      expect(renderWireguard(interfaceOf(sampleInput, node))).not.toMatch(/private|preshared/i);
  });

  test("of the largest mesh and the largest hub fits into what a plugin may answer", () => {
    for (const [form, most] of Object.entries(mostNodes)) {
      const nodes = Array.from({ length: most }, (_, index) => ({
        id: `node_${String(index).padStart(26, "0")}`,
        number: index + 1,
        endpoint: { host: `2001:db8:${(index + 1).toString(16)}:ffff:ffff:ffff:ffff:ffff`, port: 51_820 },
      }));
      const shape = form === "hub" ? { form, hub: nodes[0]?.id } : { form };
      const network = { ...sampleInput.network, ranges: ["10.0.0.0/16", "fd09::/64"], shape };
      const known = nodes.map(({ id }, index) => ({
        id,
        name: `a-node-with-a-rather-long-name-${index}`,
        tags: [],
        addresses: [],
        states: [
          {
            subject: "wireguard:wg0",
            state: "5e".repeat(32),
            publicKey: Buffer.alloc(32, index)
              .fill(index >> 8, 0, 1)
              .toString("base64"),
          },
        ],
      }));
      const bytes = JSON.stringify(asked(wireguardInput.parse({ network, nodes }), known)).length;
      expect(bytes).toBeLessThan(1024 * 1024);
    }
  });
});

describe("an input", () => {
  const [alpha, beta, gamma] = sampleInput.nodes;
  const withAlpha = (changes: object): unknown => ({ ...sampleInput, nodes: [{ ...alpha, ...changes }, beta, gamma] });
  const withNetwork = (changes: object): unknown => ({
    ...sampleInput,
    network: { ...sampleInput.network, ...changes },
  });

  test.each([
    ["with a number twice", withAlpha({ number: 2 }), /^nodes: must not have one number twice/],
    ["with a number beyond a range", withAlpha({ number: 255 }), /^nodes\.0\.number: must fit/],
    [
      "with a route inside the network",
      withAlpha({ routes: ["10.9.0.64/26"] }),
      /must have routes that overlap neither/,
    ],
    ["with a route of another", withAlpha({ routes: ["192.168.0.0/16"] }), /must have routes that overlap neither/],
    [
      "with a route to everything",
      withAlpha({ routes: ["0.0.0.0/0"] }),
      /^nodes\.0\.routes: must not be all addresses there are/,
    ],
    [
      "with a name in place of an address",
      withAlpha({ endpoint: { host: "a.example", port: 1 } }),
      /^nodes\.0\.endpoint/,
    ],
    [
      "with a line in its endpoint",
      withAlpha({ endpoint: { host: "a.example\nPostUp = id", port: 1 } }),
      /^nodes\.0\.endpoint\.host: /,
    ],
    ["with an interface of somebody else", withNetwork({ interface: "eth0" }), /^network\.interface: /],
    [
      "with addresses of many",
      withNetwork({ ranges: ["224.0.0.0/24"] }),
      /^network\.ranges: must be networks of addresses/,
    ],
    ["with link-local addresses", withNetwork({ ranges: ["fe80::/64"] }), /^network\.ranges: must not be link-local/],
    ["with a script", withNetwork({ postUp: "id" }), /^network\.postUp: is no field here/],
  ])("%s is refused by name", async (_, input, message) => {
    const question = { ...sampleQuestion, input: input as Json };
    await expect(wireguard.actions.plan(brokerWith().broker, question)).rejects.toThrow(message);
  });

  test("gives each node the addresses of its number", () => {
    expect(nodeAddresses(["10.9.0.0/16", "fd09::/64"], 300)).toEqual({
      own: ["10.9.1.44/16", "fd09::12c/64"],
      routed: ["10.9.1.44/32", "fd09::12c/128"],
    });
  });
});

interface Description {
  readonly version: string;
  readonly capabilities: Parameters<typeof findCapabilityGaps>[1];
}

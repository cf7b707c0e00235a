import type { PlanNode } from "@gatehouse/contract/broker";
import type { WireguardInput } from "../src/input.ts";

export const nodeIds = ["1", "2", "3"].map((end) => `node_${"0".repeat(25)}${end}`) as [string, string, string];
const key = (letter: string) => `${letter.repeat(42)}A=`;
export const keys = [key("a"), key("b"), key("c")] as const;

/** Three nodes: two in data centres, one in an office behind a router and with a network behind it. */
export const sampleInput = {
  network: {
    name: "office",
    interface: "wg0",
    ranges: ["10.9.0.0/24", "fd09::/64"],
    listenPort: 51_820,
    shape: { form: "mesh" },
  },
  nodes: [
    {
      id: nodeIds[0],
      name: "alpha",
      number: 1,
      publicKey: keys[0],
      endpoint: { host: "192.0.2.1", port: 51_820 },
    },
    {
      id: nodeIds[1],
      name: "beta",
      number: 2,
      publicKey: keys[1],
      endpoint: { host: "beta.example.net", port: 51_820 },
    },
    { id: nodeIds[2], name: "gamma", number: 3, publicKey: keys[2], routes: ["192.168.7.0/24"] },
  ],
} satisfies WireguardInput;

export const hubInput: WireguardInput = {
  ...sampleInput,
  network: { ...sampleInput.network, shape: { form: "hub", hub: nodeIds[0] } },
};

/** The nodes that the input names, as a question has them. */
export const sampleNodes: readonly PlanNode[] = sampleInput.nodes.map(({ id, name }) => ({
  id,
  name,
  tags: [],
  addresses: [],
  states: [],
}));

export const sampleQuestion = { input: sampleInput, nodes: [...sampleNodes] };
export const hubQuestion = { ...sampleQuestion, input: hubInput };

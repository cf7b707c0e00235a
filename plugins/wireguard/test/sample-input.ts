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
      number: 1,
      endpoint: { host: "192.0.2.1", port: 51_820 },
    },
    {
      id: nodeIds[1],
      number: 2,
      endpoint: { host: "2001:db8::2", port: 51_820 },
    },
    { id: nodeIds[2], number: 3, routes: ["192.168.7.0/24"] },
  ],
} satisfies WireguardInput;

export const hubInput: WireguardInput = {
  ...sampleInput,
  network: { ...sampleInput.network, shape: { form: "hub", hub: nodeIds[0] } },
};

/** The nodes that the input names, as the first question has them: no host was asked yet. */
export const sampleNodes: readonly PlanNode[] = ["alpha", "beta", "gamma"].map((name, index) => ({
  id: nodeIds[index] ?? "",
  name,
  tags: [],
  addresses: [],
  states: [],
}));

/** The same with the keys that their hosts have told, as in the question that is recorded. */
export const keyedNodes = sampleNodes.map((node, index) => ({
  ...node,
  states: [{ subject: "wireguard:wg0", state: "5e".repeat(32), publicKey: keys[index] ?? "" }],
})) as [PlanNode, PlanNode, PlanNode];

export const firstQuestion = { input: sampleInput, nodes: [...sampleNodes] };
export const sampleQuestion = { input: sampleInput, nodes: [...keyedNodes] };
export const hubQuestion = { ...sampleQuestion, input: hubInput };

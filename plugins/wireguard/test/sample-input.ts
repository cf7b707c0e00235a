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
      state: "absent",
    },
    {
      id: nodeIds[1],
      name: "beta",
      number: 2,
      publicKey: keys[1],
      endpoint: { host: "beta.example.net", port: 51_820 },
      state: "c0".repeat(32),
    },
    { id: nodeIds[2], name: "gamma", number: 3, publicKey: keys[2], routes: ["192.168.7.0/24"], state: "absent" },
  ],
} satisfies WireguardInput;

export const hubInput: WireguardInput = {
  ...sampleInput,
  network: { ...sampleInput.network, shape: { form: "hub", hub: nodeIds[0] } },
};

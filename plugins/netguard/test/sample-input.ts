import type { NetguardInput } from "../src/input.ts";

export const nodeIds = ["1", "2"].map((end) => `node_${"0".repeat(25)}${end}`) as [string, string];

/** Two hosts: one that serves the web and is the control server, one that has a database for the office. */
export const sampleInput = {
  zones: {
    office: { sources: ["192.0.2.0/24", "2001:db8:1::/48"] },
    inside: { interfaces: ["wg0", "eth1"] },
  },
  services: {
    web: {
      protocol: "tcp",
      ports: [
        { from: 80, to: 80 },
        { from: 443, to: 443 },
      ],
    },
    postgres: { protocol: "tcp", ports: [{ from: 5432, to: 5432 }] },
    wireguard: { protocol: "udp", ports: [{ from: 51820, to: 51820 }] },
  },
  nodes: [
    {
      id: nodeIds[0],
      ssh: { ports: [22] },
      control: { ports: [8088] },
      allow: [
        { service: "web", from: ["any"] },
        { service: "wireguard", from: ["any"] },
      ],
      state: "absent",
    },
    {
      id: nodeIds[1],
      ssh: { ports: [22, 2222], from: ["office", "inside"] },
      allow: [{ service: "postgres", from: ["office", "inside"] }],
      state: "c0".repeat(32),
    },
  ],
} satisfies NetguardInput;

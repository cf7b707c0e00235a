import type { PlanNode } from "@gatehouse/contract/broker";
import type { NetguardInput } from "../src/input.ts";

export const nodeIds = ["1", "2"].map((end) => `node_${"0".repeat(25)}${end}`) as [string, string];

/** Web servers, one of which is the control server, and databases for the office. */
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
  ssh: { ports: [22, 2222] },
  allow: [
    { service: "web", from: ["any"], tags: ["web", "proxy"] },
    { service: "postgres", from: ["office", "inside"], tags: ["db"] },
    { service: "wireguard", from: ["any"] },
  ],
  control: { ports: [8088], tags: ["control"] },
} satisfies NetguardInput;

/** Two hosts: one that serves the web and is the control server, one that has a database. */
export const sampleNodes: [PlanNode, PlanNode] = [
  { id: nodeIds[0], name: "alpha", tags: ["control", "web"], addresses: ["192.0.2.1"], states: [] },
  { id: nodeIds[1], name: "beta", tags: ["db"], addresses: ["192.0.2.2", "2001:db8:1::2"], states: [] },
];

export const sampleQuestion = { input: sampleInput, nodes: sampleNodes };

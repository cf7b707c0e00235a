import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** One web server that the office may reach by SSH. */
const example = {
  zones: { office: { sources: ["192.0.2.0/24"] } },
  services: {
    web: {
      protocol: "tcp",
      ports: [
        { from: 80, to: 80 },
        { from: 443, to: 443 },
      ],
    },
  },
  nodes: [
    {
      id: "node_00000000000000000000000001",
      ssh: { ports: [22], from: ["office"] },
      allow: [{ service: "web", from: ["any"] }],
      state: "absent",
    },
  ],
};

/** `netguard.firewall`. */
export function Firewall({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title} example={example}>
      Draws up firewall zones and rules as plans. It changes no host: a plan waits for people to approve it.
    </PluginAnswers>
  );
}

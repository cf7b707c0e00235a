import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** Hosts that the office may reach by SSH, and web servers among them. */
const example = () => ({
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
  ssh: { ports: [22], from: ["office"] },
  allow: [{ service: "web", from: ["any"], tags: ["web"] }],
});

/** `netguard.firewall`. */
export function Firewall({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title} example={example}>
      Draws up firewall zones and rules as plans. It changes no host: a plan waits for people to approve it.
    </PluginAnswers>
  );
}

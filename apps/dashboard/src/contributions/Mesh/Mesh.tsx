import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** Two hosts that reach each other; both still have to make their keys. */
const example = {
  network: {
    name: "office",
    interface: "wg0",
    ranges: ["10.9.0.0/24"],
    listenPort: 51_820,
    shape: { form: "mesh" },
  },
  nodes: [
    {
      id: "node_00000000000000000000000001",
      name: "alpha",
      number: 1,
      publicKey: null,
      endpoint: { host: "alpha.example.net", port: 51_820 },
      state: "absent",
    },
    { id: "node_00000000000000000000000002", name: "beta", number: 2, publicKey: null, state: "absent" },
  ],
};

/** `wireguard.mesh`. */
export function Mesh({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title} example={example}>
      Draws up WireGuard networks between hosts as plans. It changes no host: a plan waits for people to approve it.
    </PluginAnswers>
  );
}

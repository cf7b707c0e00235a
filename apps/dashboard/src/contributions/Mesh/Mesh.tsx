import type { ContributionProps } from "../contribution-props.ts";
import type { ExampleInput } from "../../widgets/DraftPlan/DraftPlan.tsx";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** The hosts that were chosen; the others call the first, and all still have to make their keys. */
const example: ExampleInput = (nodes) => ({
  network: {
    name: "office",
    interface: "wg0",
    ranges: ["10.9.0.0/24"],
    listenPort: 51_820,
    shape: { form: "mesh" },
  },
  nodes: nodes.map(({ id, name }, at) => ({
    id,
    name,
    number: at + 1,
    publicKey: null,
    ...(at === 0 && { endpoint: { host: "first.example.net", port: 51_820 } }),
  })),
});

/** `wireguard.mesh`. */
export function Mesh({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title} draftsOnly={example}>
      Draws up WireGuard networks between hosts as plans. No host sets one up in this version, so that what it draws up
      is shown and not kept.
    </PluginAnswers>
  );
}

import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** `wireguard.mesh`. */
export function Mesh({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title}>
      Draws up WireGuard networks between hosts as plans. It changes no host and knows no private key: hosts make their
      own, and a plan waits for people to approve it.
    </PluginAnswers>
  );
}

import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** `netguard.firewall`. */
export function Firewall({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title}>
      Draws up firewall zones and rules as plans. It changes no host: a plan waits for people to approve it.
    </PluginAnswers>
  );
}

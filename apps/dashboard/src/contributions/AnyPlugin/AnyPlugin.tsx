import type { ContributionProps } from "../contribution-props.ts";
import { PluginAnswers } from "../PluginAnswers/PluginAnswers.tsx";

/** `plugin.page`: for a plugin of any publisher, so nothing here says what it does but the plugin itself. */
export function AnyPlugin({ plugin, title }: ContributionProps) {
  return (
    <PluginAnswers plugin={plugin} title={title}>
      What this plugin says of itself. It changes no host: a plan waits for people to approve it.
    </PluginAnswers>
  );
}

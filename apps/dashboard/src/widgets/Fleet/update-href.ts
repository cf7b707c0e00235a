import type { AgentBuild } from "./agent-builds.ts";
import { searchOf } from "./nodes-href.ts";

/** Where the agents of these hosts are updated: a plan for them is composed. */
export function updateHref(hosts: AgentBuild & { readonly tag?: string }): string {
  const said = (["version", "architecture", "tag"] as const).flatMap((name) => searchOf(name, hosts[name]));
  return `/plans/new?change=agent.update&${said.join("&")}`;
}

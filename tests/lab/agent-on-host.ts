import { until } from "../support/until.ts";
import type { ManagedHost } from "./managed-host.ts";

export const agentUnit = "gatehouse-agent.service";
export const helperUnit = "gatehouse-helper.service";
export const connected = /"state": ?"connected"/;

/** What the agent says of itself, on its host. */
export async function statusOf(host: ManagedHost): Promise<string> {
  return (await host.run("gatehouse-agent", "status", "--json")).stdout;
}

export async function untilSays(host: ManagedHost, pattern: RegExp): Promise<void> {
  await until(`${host.name} says ${pattern}`, async () => pattern.test(await statusOf(host)));
}

import { expect } from "vitest";
import { until } from "../support/until.ts";
import { connected, statusOf } from "./agent-on-host.ts";
import { untilNothingIsLeft } from "./change-on-host.ts";
import type { FleetDesk } from "./fleet-desk.ts";
import { agentProgram, rescueProgram } from "./lab-releases.ts";
import type { ManagedHost } from "./managed-host.ts";

/** The host says of itself that it runs this version, which is what is installed, and so is whatever takes its next change back. */
export async function expectAgentOn(desk: FleetDesk, host: ManagedHost, version: string): Promise<void> {
  await untilNothingIsLeft(host);
  const sha256 = (await host.shell(`sha256sum < ${agentProgram}`)).slice(0, 64);
  await desk.until(
    host,
    ({ state, facts }) => state === "online" && facts?.agentVersion === version && facts.agentSha256 === sha256,
    `is online as ${version}`,
  );
  await until(`${host.name} is connected`, async () => connected.test(await statusOf(host)));
  expect(await host.shell("gatehouse-agent --version")).toContain(`gatehouse-agent ${version}\n`);
  expect(await host.shell(`sha256sum < ${rescueProgram}`)).toContain(sha256);
  expect((await host.run("gatehouse-agent", "doctor")).stdout).toContain(`${rescueProgram} is the program that is`);
  expect(await host.shell("ls -A /var/lib/gatehouse/inbox"), "and nothing that came for it").toBe("");
  expect(await host.shell("find /usr/lib/gatehouse -name '*~'")).toBe("");
}

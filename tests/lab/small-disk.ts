import type { ManagedHost } from "./managed-host.ts";

/** What the network part of the agent keeps. */
export const stateDirectory = "/var/lib/private/gatehouse-agent";

const filler = `${stateDirectory}/filler`;

/** What the agent keeps is on a file system of its own from now on, that a test can fill: the host's own is that of this machine. */
export async function moveToSmallDisk(host: ManagedHost): Promise<void> {
  const steps = [
    "systemctl stop gatehouse-agent.service",
    `cp --archive ${stateDirectory} /run/lab-state`,
    `mount -t tmpfs -o size=512k lab-state ${stateDirectory}`,
    `cp --archive --no-target-directory /run/lab-state ${stateDirectory}`,
    "systemctl start gatehouse-agent.service",
  ];
  await host.shell(steps.join(" && "));
}

export async function fillSmallDisk(host: ManagedHost): Promise<void> {
  await host.shell(`cat /dev/zero > ${filler} || true`);
}

export async function emptySmallDisk(host: ManagedHost): Promise<void> {
  await host.shell(`rm ${filler}`);
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { byteForm } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract/faults";
import { nodeVfs } from "@gatehouse/files";
import type { NetworkWireguard } from "@gatehouse/plan";
import { agentPaths } from "../../apps/agent/src/config.ts";
import { hostEnvironment, type RunOnHost, runOnHost } from "../../apps/agent/src/host/run-on-host.ts";
import { changeWireguard } from "../../apps/agent/src/operations/change-wireguard.ts";
import type { ChangeGround } from "../../apps/agent/src/operations/host-operation.ts";
import { keptInterfaces } from "../../apps/agent/src/operations/keep-interface.ts";
import { readWireguardState } from "../../apps/agent/src/operations/read-wireguard-state.ts";

/**
 * Made where there is none, put back to itself while it is there, taken away, set up as at boot, and put back where it was gone. The programs are
 * the real ones; wireguard-go is started here, because no systemd can be reached.
 */
export async function doInterface(
  base: Omit<ChangeGround, "run">,
  operation: NetworkWireguard,
): Promise<readonly string[]> {
  const { interface: name } = operation;
  const flaws: string[] = [];
  const said: string[] = [];
  const ground: ChangeGround = { ...base, pause: (ms) => pause(ms), run: runInYard(name, flaws, said) };
  const paths = agentPaths(base.root);
  const kept = { vfs: nodeVfs, paths, owner: base.owner, run: ground.run, pause: ground.pause };
  const told = () =>
    readWireguardState({ ...ground, checkTime: () => undefined, privateKey: new Uint8Array(32) }, name);
  const expectMade = async (after: string) => {
    if (!(await changeWireguard.isApplied(ground, operation)))
      flaws.push(`${name} is not what the plan says ${after}: ${JSON.stringify(await told())}`);
  };
  putIpv6On(base.root);
  try {
    const before = byteForm(await told());
    await changeWireguard.validate(ground, operation);
    if ((await changeWireguard.snapshot(ground, name)) !== null) flaws.push(`${name} was taken for one that is there`);
    await changeWireguard.apply(ground, operation);
    await expectMade("once it is made");
    const copy = await changeWireguard.snapshot(ground, name);
    await changeWireguard.prove(ground, name, copy);
    await changeWireguard.restore(ground, name, copy);
    await expectMade("put back to itself");
    await keptInterfaces.keep(kept, operation);
    await changeWireguard.restore(ground, name, null);
    const { loaded, failed } = await keptInterfaces.load(kept);
    for (const { why } of failed) flaws.push(`${name} was not set up as at boot: ${why}`);
    if (loaded.join() !== name) flaws.push(`${loaded.join()} was set up in place of ${name}`);
    await expectMade("after a boot");
    await changeWireguard.restore(ground, name, null);
    await changeWireguard.restore(ground, name, copy);
    await expectMade("put back where it was gone");
    await changeWireguard.restore(ground, name, null);
    if (!Buffer.from(byteForm(await told())).equals(before)) flaws.push(`${name} was not taken away`);
  } catch (error) {
    flaws.push(`${name}: ${isFault(error) ? `${error.code}: ${error.detail}` : String(error)}; ${said.join(" ")}`);
    await runOnHost("ip", ["link", "delete", "dev", name]);
  }
  rmSync(paths.wireguard, { recursive: true, force: true });
  return flaws;
}

/** As the kernel of the yard has it; the agent looks below its root. */
function putIpv6On(root: string): void {
  for (const which of ["all", "default"]) {
    const directory = join(root, "proc/sys/net/ipv6/conf", which);
    mkdirSync(directory, { recursive: true });
    writeFileSync(join(directory, "disable_ipv6"), "0\n");
  }
}

/** On every machine as if the kernel knew no WireGuard, so that all the programs are started that there can be. */
function runInYard(name: string, flaws: string[], said: string[]): RunOnHost {
  let gone: Promise<unknown> = Promise.resolve();
  return async (program, args, mostMs) => {
    const ran = await runOnHost(program, args, mostMs);
    if (program === "ip" && args[1] === "add") {
      if (ran.code === 0) await runOnHost("ip", ["link", "delete", "dev", name]);
      else if (!/Unknown device type|[Nn]ot supported/.test(ran.stderr))
        flaws.push(`ip ${args.join(" ")}: ${ran.stderr}`);
      return { code: 2, stdout: "", stderr: "Error: Unknown device type." };
    }
    if (program !== "systemd-run") return ran;
    // Had it not understood a word, it would say so before it looks for systemd, and for a program that not every machine has.
    if (ran.code !== 1 || !/has not been booted with systemd|find executable modprobe/.test(ran.stderr))
      flaws.push(`systemd-run ended with ${ran.code}: ${ran.stderr}`);
    // Without systemd nobody can be asked for a module, and none is found.
    if (args.includes("modprobe")) return ran;
    // Its name is free when nobody has its streams any more.
    await gone;
    const env = { ...hostEnvironment, WG_I_PREFER_BUGGY_USERSPACE_TO_POLISHED_KMOD: "1", LOG_LEVEL: "error" };
    const starter = spawn("wireguard-go", [name], { env, stdio: ["ignore", "pipe", "pipe"] });
    for (const stream of [starter.stdout, starter.stderr])
      stream.on("data", (chunk: Buffer) => said.push(chunk.toString("latin1").trim()));
    gone = once(starter, "close");
    const [code, signal] = (await once(starter, "exit")) as [number | null, string | null];
    if (code !== 0) return { code: 1, stdout: "", stderr: `wireguard-go has ended with ${code ?? signal}` };
    return { code: 0, stdout: "", stderr: "" };
  };
}

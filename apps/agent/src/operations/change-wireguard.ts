import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { byteForm } from "@gatehouse/base";
import { fault, type FaultCode, isFault } from "@gatehouse/contract/faults";
import {
  interfaceLinkOf,
  type NetworkWireguard,
  renderConfiguration,
  renderLink,
  renderLinkLines,
  renderWireguard,
  wgWords,
  wireguardFiles,
  wireguardGoVersion,
  wireguardModuleWords,
  wireguardName,
} from "@gatehouse/plan";
import type { ChangeGround, HostChange } from "./host-operation.ts";
import { findLiveInterface, type LiveInterface, settledLink } from "./live-interface.ts";
import { putScript } from "./put-script.ts";
import { type InterfaceFiles, removeInterface, setUpInterface } from "./set-up-interface.ts";
import { keepWireguardKey, type WireguardKey } from "./wireguard-keys.ts";
import { readInterfaceCopy, writeInterfaceCopy } from "./wireguard-copy.ts";

/** For one program that is only asked. */
const mostMs = 20_000;

/**
 * One interface of WireGuard, set up whole. An interface that has another key than the one that is kept here is somebody else's, and
 * is not touched. The private key is in no copy and no script: `wg` reads it from the file that it is kept in.
 */
export const changeWireguard: HostChange<"network.wireguard"> = {
  validate: async (ground, operation) => {
    const { interface: name, publicKey } = operation;
    const key = await keyFor(ground, name, "validate.failed");
    if (publicKey !== null && publicKey !== key.publicKey)
      throw fault("validate.failed", `${name}: expected the key ${publicKey}, found ${key.publicKey}`);
    await needPrograms(ground);
    const live = await liveFor(ground, name, "validate.failed");
    if (live === null) await needMaker(ground);
    else checkOwn(live, name, key);
    if (operation.addresses.some((text) => text.includes(":")) && isIpv6Off(ground.root))
      throw fault("validate.failed", `${name}: expected IPv6, found it off on this host`);
    await putFiles(ground, "apply", name, textsOf(operation), "validate.failed");
  },
  snapshot: async (ground, target) => {
    const live = await liveFor(ground, getName(target, "snapshot.failed"), "snapshot.failed");
    return live === null ? null : writeInterfaceCopy(live);
  },
  prove: async (ground, target, copy) => {
    const name = getName(target, "snapshot.unprovable");
    await keyFor(ground, name, "snapshot.unprovable");
    if (copy === null) return;
    const { special = [] } = readInterfaceCopy(copy, "snapshot.unprovable");
    if (special.length > 0)
      throw fault("snapshot.unprovable", `${name}: expected what could be put back, found ${special.join("; ")}`);
    // What it takes to put it back is on the disk while there is room for it.
    await putCopy(ground, name, copy, "snapshot.unprovable");
  },
  apply: async (ground, operation) => {
    const { interface: name } = operation;
    const files = await putFiles(ground, "apply", name, textsOf(operation), "apply.failed");
    await setUpInterface(ground, name, files, "apply.failed");
  },
  isApplied: async (ground, operation) => {
    const { interface: name } = operation;
    const { publicKey } = await keepWireguardKey(ground.root, name);
    const live = await findLiveInterface(bounded(ground), name);
    if (live === null) return false;
    return Buffer.from(byteForm(settledLink(live))).equals(byteForm(interfaceLinkOf(operation, publicKey)));
  },
  restore: async (ground, target, copy) => {
    const name = getName(target, "restore.failed");
    if (copy === null) return removeInterface(ground, name, "restore.failed");
    const files = await putCopy(ground, name, copy, "restore.failed");
    await setUpInterface(ground, name, files, "restore.failed");
  },
  isMadeInSteps: true,
};

interface InterfaceTexts {
  readonly configuration: string;
  readonly link: string;
}

function textsOf(operation: NetworkWireguard): InterfaceTexts {
  return { configuration: renderWireguard(operation), link: renderLink(operation) };
}

async function putCopy(
  ground: ChangeGround,
  name: string,
  copy: Uint8Array,
  failed: FaultCode,
): Promise<InterfaceFiles> {
  const link = readInterfaceCopy(copy, failed);
  const texts = { configuration: renderConfiguration(link), link: renderLinkLines(name, link) };
  return putFiles(ground, "restore", name, texts, failed);
}

async function putFiles(
  ground: ChangeGround,
  verb: "apply" | "restore",
  name: string,
  texts: InterfaceTexts,
  failed: FaultCode,
): Promise<InterfaceFiles> {
  const { path: key } = await keyFor(ground, name, failed);
  try {
    const configuration = wireguardFiles.configuration(verb, name);
    return {
      key,
      configuration: await putScript(ground, { name: configuration, text: texts.configuration }),
      link: await putScript(ground, { name: wireguardFiles.link(verb, name), text: texts.link }),
    };
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw fault(failed, `what sets up ${name} cannot be written: ${code ?? "unknown"}`, { cause });
  }
}

async function needPrograms({ run }: ChangeGround): Promise<void> {
  const { code } = await run("wg", wgWords.version, mostMs);
  if (code !== 0) throw fault("wireguard.absent", "expected wg on this host, found none");
}

/** The kernel, or a program that does it in its place. */
async function needMaker({ root, run }: ChangeGround): Promise<void> {
  if (existsSync(join(root, "sys/module/wireguard"))) return;
  if ((await run("systemd-run", wireguardModuleWords, mostMs)).code === 0) return;
  if ((await run("wireguard-go", wireguardGoVersion, mostMs)).code === 0) return;
  throw fault("wireguard.absent", "expected WireGuard in the kernel, or wireguard-go, found neither");
}

function checkOwn(live: LiveInterface, name: string, { publicKey }: WireguardKey): void {
  if (live.publicKey !== publicKey)
    throw fault("validate.failed", `${name}: expected the key ${publicKey}, found ${live.publicKey ?? "none"}`);
  const preshared = live.peers.find(({ hasPresharedKey }) => hasPresharedKey);
  if (preshared !== undefined)
    throw fault("validate.failed", `${name}: the peer ${preshared.publicKey} has a preshared key, which nobody keeps`);
}

/** For interfaces that are made from now on. */
function isIpv6Off(root: string): boolean {
  try {
    return ["all", "default"].some(
      (which) => readFileSync(join(root, `proc/sys/net/ipv6/conf/${which}/disable_ipv6`), "utf8").trim() !== "0",
    );
  } catch {
    return true;
  }
}

function liveFor(ground: ChangeGround, name: string, failed: FaultCode): Promise<LiveInterface | null> {
  return renamed(failed, () => findLiveInterface(bounded(ground), name));
}

function keyFor({ root }: ChangeGround, name: string, failed: FaultCode): Promise<WireguardKey> {
  return renamed(failed, () => keepWireguardKey(root, name));
}

/** What cannot be read is named by the step that needs it. */
async function renamed<Value>(failed: FaultCode, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (cause) {
    if (!isFault(cause)) throw cause;
    throw fault(failed, cause.detail, { cause });
  }
}

function bounded({ run }: ChangeGround): ChangeGround["run"] {
  return (program, args) => run(program, args, mostMs);
}

/** The name went through the schema when the change was judged; whoever brings it back from a file is not taken at their word. */
function getName(target: string, failed: FaultCode): string {
  const { success } = wireguardName.safeParse(target);
  if (!success) throw fault(failed, "expected the name of an interface of Gatehouse, found another");
  return target;
}

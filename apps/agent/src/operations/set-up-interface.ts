import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { ipWords, wgWords, wireguardGoWords } from "@gatehouse/plan";
import type { HostRun } from "../host/run-on-host.ts";
import { sayFailedProgram } from "./failed-program.ts";
import type { ChangeGround } from "./host-operation.ts";
import { hasNoLink } from "./live-interface.ts";

/** For one program. None of them waits for anybody but the kernel. */
const mostMs = 30_000;

/** So long until the name of a unit that ended is free again: seconds, on a host that is starved. */
const looks = { most: 80, pauseMs: 250 };

/** A wireguard-go ends where somebody's `wg` finds its door before it is open, and removes it: so often it is started. */
const mostStarts = 3;

export type InterfaceGround = Pick<ChangeGround, "run" | "pause">;

/** What the programs read. */
export interface InterfaceFiles {
  readonly configuration: string;
  readonly link: string;
  readonly key: string;
}

/**
 * Makes the interface as the files say, in place of what it was. Safe to be done again. Throws `failed`; then there is none where there
 * was none: without its key it would be somebody else's to whoever looks next.
 */
export async function setUpInterface(
  ground: InterfaceGround,
  name: string,
  files: InterfaceFiles,
  failed: FaultCode,
): Promise<void> {
  const found = await ground.run("ip", ipWords.link(name), mostMs);
  const isNew = hasNoLink(found);
  if (!isNew && found.code !== 0) throw fault(failed, sayFailedProgram("ip", found));
  if (isNew) await addInterface(ground, name, failed);
  const configure = async () => {
    await runOrThrow(ground, "wg", wgWords.configure(name, files.configuration), failed);
    await giveKey(ground, name, files.key, failed);
    await runOrThrow(ground, "ip", ipWords.batch(files.link), failed);
  };
  await (isNew ? orRemove(ground, name, configure) : configure());
}

/** Afterwards there is none, whether there was one or not. A wireguard-go ends with it. */
export async function removeInterface({ run }: InterfaceGround, name: string, failed: FaultCode): Promise<void> {
  const ran = await run("ip", ipWords.remove(name), mostMs);
  if (ran.code !== 0 && !hasNoLink(ran)) throw fault(failed, sayFailedProgram("ip", ran));
}

/** By the kernel, and where it knows no WireGuard by a program of its own. */
async function addInterface(ground: InterfaceGround, name: string, failed: FaultCode): Promise<void> {
  const added = await ground.run("ip", ipWords.add(name), mostMs);
  if (added.code === 0) return;
  if (!/Unknown device type|[Nn]ot supported/.test(added.stderr)) throw fault(failed, sayFailedProgram("ip", added));
  for (let left = mostStarts; ; left -= 1) {
    const started = await startWhenFree(ground, name);
    // Its door is open by then: systemd says so when the program has gone into the background.
    const answered = started.code === 0 ? await ground.run("wg", wgWords.dump(name), mostMs) : undefined;
    if (answered?.code === 0) return;
    // One that has its device and no door is in the way of the next.
    await ground.run("ip", ipWords.remove(name), mostMs);
    if (left > 1 && started.code !== null && isFree(started)) continue;
    if (answered === undefined) throw fault(failed, sayFailedProgram("systemd-run", started));
    // What it has said until then may be the private key.
    throw fault(failed, `wireguard-go has no ${name}: ${sayFailedProgram("wg", { ...answered, stdout: "" })}`);
  }
}

/** What was added a moment ago goes again where the work on it fails. That is told, whether this does or not. */
async function orRemove({ run }: InterfaceGround, name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await run("ip", ipWords.remove(name), mostMs);
    throw error;
  }
}

/** One that ends gives its unit's name back a moment later. */
const isFree = ({ code, stderr }: HostRun) => code === 0 || !/already (loaded|exists)|fragment file/.test(stderr);

async function startWhenFree({ run, pause }: InterfaceGround, name: string): Promise<HostRun> {
  for (let left = looks.most; ; left -= 1) {
    const ran = await run("systemd-run", wireguardGoWords(name), mostMs);
    if (isFree(ran) || left === 0) return ran;
    await pause(looks.pauseMs);
  }
}

/** Of what `wg` says then nothing is passed on: it prints a key that it does not take. */
async function giveKey({ run }: InterfaceGround, name: string, path: string, failed: FaultCode): Promise<void> {
  const ran = await run("wg", wgWords.key(name, path), mostMs);
  if (ran.code === 0) return;
  const why = ran.code === null ? sayFailedProgram("wg", ran) : `wg ended with ${ran.code}`;
  throw fault(failed, `${path} was not taken: ${why}`);
}

async function runOrThrow(
  { run }: InterfaceGround,
  program: string,
  words: readonly string[],
  failed: FaultCode,
): Promise<void> {
  const ran = await run(program, words, mostMs);
  if (ran.code !== 0) throw fault(failed, sayFailedProgram(program, ran));
}

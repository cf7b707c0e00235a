import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stopMs } from "../support/stopped.ts";
import { docker, labDirectory, needPackages, socket } from "./lab.ts";

const users = join(labDirectory, "users");
const pidFile = join(labDirectory, "docker.pid");
const execRoot = join(labDirectory, "docker-exec");

/**
 * Starts a Docker engine of our own and waits until it answers. One that an earlier run left behind and that still answers is
 * taken over; one that does not answer is ended. Returns the way to stop it, which the last of its users does.
 */
export async function startEngine(): Promise<() => Promise<void>> {
  await needPackages("docker.io", "docker-compose", "debootstrap");
  mkdirSync(users, { recursive: true });
  await alone(async () => {
    writeFileSync(join(users, String(process.pid)), "");
    if (await answers()) return;
    await endLeftovers();
    await launch();
  });
  return () =>
    alone(async () => {
      rmSync(join(users, String(process.pid)), { force: true });
      if (!isUsed()) await endLeftovers();
    });
}

/** Two labs begin and end beside each other: who takes the engine over must not meet who stops it. The lock ends with us. */
async function alone(work: () => Promise<void>): Promise<void> {
  const words = [join(labDirectory, "engine.lock"), "sh", "-c", "echo locked && exec cat"];
  const lock = spawn("flock", words, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(lock, "exit");
  try {
    await Promise.race([once(lock.stdout, "data"), ended.then(() => Promise.reject(new Error("flock gave no lock")))]);
    await work();
  } finally {
    lock.stdin.end();
    await ended;
  }
}

async function launch(): Promise<void> {
  const log = join(labDirectory, "dockerd.log");
  const output = openSync(log, "w");
  const words = [
    `--data-root=${join(labDirectory, "docker-data")}`,
    `--exec-root=${execRoot}`,
    `--pidfile=${pidFile}`,
    `--host=unix://${socket}`,
    "--storage-driver=overlay2",
    "--iptables=false",
    "--ip6tables=false",
    "--bip=172.31.250.1/24",
  ];
  const engine = spawn("/usr/sbin/dockerd", words, { stdio: ["ignore", output, output], detached: true });
  engine.unref();
  const end = Date.now() + stopMs;
  while (!(await answers())) {
    const why = engine.exitCode === null ? undefined : `it ended with ${engine.exitCode}`;
    if (why !== undefined || Date.now() > end)
      throw new Error(
        `the Docker engine did not start, ${why ?? "stopped"}:\n${readFileSync(log, "utf8").slice(-2_000)}`,
      );
    await delay(100);
  }
}

/**
 * Ends the engine and its helper, in the order in which they must go. The file of one that crashed may name a process that is
 * somebody else's by now: only what has the lab's directory in its command line is ours.
 */
async function endLeftovers(): Promise<void> {
  for (const file of [pidFile, join(execRoot, "containerd/containerd.pid")]) {
    const pid = readPid(file);
    if (pid !== undefined && isOfTheLab(pid)) await end(pid);
    rmSync(file, { force: true });
  }
  rmSync(socket, { force: true });
}

async function end(pid: number): Promise<void> {
  process.kill(pid, "SIGTERM");
  // A process that does not obey is ended the other way; nothing waits for a verdict here.
  for (const began = Date.now(); isOfTheLab(pid); await delay(50))
    if (Date.now() - began > stopMs) {
      process.kill(pid, "SIGKILL");
      return;
    }
}

function readPid(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isOfTheLab(pid: number): boolean {
  return commandLine(pid).includes(labDirectory);
}

/** Empty for a process that is gone, and for one that is dead and not collected yet. */
function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1");
  } catch {
    return "";
  }
}

/** Whether anybody else who asked for the engine still runs. Forgets those who do not. */
function isUsed(): boolean {
  const living = readdirSync(users).filter((name) => /\.ts\0/.test(commandLine(Number(name))));
  for (const name of readdirSync(users)) if (!living.includes(name)) rmSync(join(users, name), { force: true });
  return living.length > 0;
}

async function answers(): Promise<boolean> {
  return docker("version", "--format", "{{.Server.Version}}").then(
    () => true,
    () => false,
  );
}

import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

/**
 * The lab: real parts on this machine. Everything it makes is under one directory, everything it starts is stopped by
 * process id, and what cannot be had is a failure with its reason, never a pass.
 */
export const labDirectory = process.env["GATEHOUSE_LAB"] ?? join(tmpdir(), "gatehouse-lab");

const run = promisify(execFile);

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program without a shell and gives its output; a failure says what it printed. */
export async function sh(
  program: string,
  args: readonly string[],
  options: { env?: NodeJS.ProcessEnv; cwd?: string } = {},
): Promise<Ran> {
  try {
    return await run(program, [...args], { maxBuffer: 256 * 1024 * 1024, ...options });
  } catch (error) {
    const { stdout = "", stderr = "", message } = error as Partial<Ran> & Error;
    throw new Error(`${program} ${args.slice(0, 4).join(" ")} failed: ${message.split("\n")[0]}\n${stdout}${stderr}`, {
      cause: error,
    });
  }
}

/** Installs Debian packages that are missing. */
export async function needPackages(...names: readonly string[]): Promise<void> {
  const missing: string[] = [];
  for (const name of names) {
    const { stdout } = await sh("dpkg-query", ["-W", "-f=${Status}", name]).catch(() => ({ stdout: "", stderr: "" }));
    if (!stdout.includes("install ok installed")) missing.push(name);
  }
  if (missing.length === 0) return;
  console.log(`lab: installing ${missing.join(", ")}`);
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" };
  await sh("apt-get", ["update", "-qq"], { env });
  await sh("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...missing], { env });
}

const socket = join(labDirectory, "docker.sock");

/** The client of the lab's own engine. */
export function docker(...args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, DOCKER_HOST: `unix://${socket}`, DOCKER_BUILDKIT: "0" };
  return sh("/usr/bin/docker", args, { env });
}

export const dockerEnvironment = {
  DOCKER_HOST: `unix://${socket}`,
  COMPOSE_DOCKER_CLI_BUILD: "0",
  DOCKER_BUILDKIT: "0",
};

/** Starts a Docker engine of our own and waits until it answers. Idempotent. Returns the way to stop it. */
export async function startEngine(): Promise<() => Promise<void>> {
  await needPackages("docker.io", "docker-compose", "debootstrap");
  mkdirSync(labDirectory, { recursive: true });
  if (await answers()) return async () => undefined;
  const pidFile = join(labDirectory, "docker.pid");
  const log = openSync(join(labDirectory, "dockerd.log"), "w");
  const engine = spawn(
    "/usr/sbin/dockerd",
    [
      `--data-root=${join(labDirectory, "docker-data")}`,
      `--exec-root=${join(labDirectory, "docker-exec")}`,
      `--pidfile=${pidFile}`,
      `--host=unix://${socket}`,
      "--storage-driver=overlay2",
      "--iptables=false",
      "--ip6tables=false",
      "--bip=172.31.250.1/24",
    ],
    { stdio: ["ignore", log, log], detached: true },
  );
  engine.unref();
  const deadline = Date.now() + 60_000;
  while (!(await answers())) {
    if (Date.now() > deadline || engine.exitCode !== null) {
      throw new Error(
        `the Docker engine did not start:\n${readFileSync(join(labDirectory, "dockerd.log"), "utf8").slice(-2_000)}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return async () => {
    if (!existsSync(pidFile)) return;
    const pid = Number(readFileSync(pidFile, "utf8"));
    process.kill(pid, "SIGTERM");
    const end = Date.now() + 20_000;
    while (existsSync(pidFile) && Date.now() < end) await new Promise((resolve) => setTimeout(resolve, 100));
  };
}

async function answers(): Promise<boolean> {
  return docker("version", "--format", "{{.Server.Version}}").then(
    () => true,
    () => false,
  );
}

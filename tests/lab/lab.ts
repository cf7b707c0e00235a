import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
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
  // One at a time: apt refuses to work beside another, and another lab may be at it.
  mkdirSync(labDirectory, { recursive: true });
  const apt = (...words: readonly string[]) =>
    sh("flock", [join(labDirectory, "apt.lock"), "apt-get", ...words], { env });
  await apt("update", "-qq");
  await apt("install", "-y", "-qq", "--no-install-recommends", ...missing);
}

export const socket = join(labDirectory, "docker.sock");

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

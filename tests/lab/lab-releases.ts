import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { artifactOf, type Operation } from "@gatehouse/plan";
import { testReleaseKey } from "../../apps/agent/src/trust/release-keys.ts";
import { signed, updateTo } from "../../apps/agent/test/made-artifact.ts";
import { compileAgent } from "../../tools/build/compile-agent.ts";
import { testReleaseSigner } from "../support/test-release-key.ts";
import { repository } from "./image.ts";
import { bringProgram } from "./lab-programs.ts";
import type { PlanDesk } from "./plan-desk.ts";

export type AgentUpdate = Extract<Operation, { kind: "agent.update" }>;

export const agentProgram = "/usr/lib/gatehouse/gatehouse-agent";
export const rescueProgram = "/usr/lib/gatehouse/rescue/gatehouse-agent";

const architecture = process.arch === "arm64" ? "arm64" : "x64";

/** Starts, whatever it is asked to do, and then does nothing at all. */
const idle = `#include <signal.h>
#include <unistd.h>
int main(void) { signal(SIGTERM, SIG_IGN); for (;;) pause(); }
`;

/** Agents for tests, which take releases that everybody can sign: each is compiled once, for all that ask. */
export class ReleaseYard {
  readonly #directory: string;
  readonly #compiled = new Map<string, Uint8Array>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The agent of these sources, as another version. */
  agent(version: string): Uint8Array {
    const known = this.#compiled.get(version);
    if (known !== undefined) return known;
    const out = join(this.#directory, version);
    const words = { version, isTestBuild: true, releaseKeys: [testReleaseKey], compress: false };
    compileAgent({ root: repository, architecture, out, ...words });
    const bytes = readFileSync(join(out, "gatehouse-agent"));
    rmSync(out, { recursive: true });
    this.#compiled.set(version, bytes);
    return bytes;
  }

  /** It is not asked for again: nobody holds its bytes any more. */
  forget(version: string): void {
    this.#compiled.delete(version);
  }

  idle(): Uint8Array {
    const [source, out] = [join(this.#directory, "idle.c"), join(this.#directory, "idle")];
    writeFileSync(source, idle);
    execFileSync("cc", ["-static", "-o", out, source], { env: { PATH: "/usr/bin:/bin" } });
    return readFileSync(out);
  }

  remove(): Promise<void> {
    return rm(this.#directory, { recursive: true });
  }
}

export async function openReleaseYard(): Promise<ReleaseYard> {
  return new ReleaseYard(await mkdtemp(join(tmpdir(), "gatehouse-releases-")));
}

/** An update to these bytes, as the release key signs it: whatever they are, and whatever they say of themselves. */
export function releaseOf(bytes: Uint8Array, version: string): AgentUpdate {
  return signed(updateTo(bytes, { version, architecture }), testReleaseSigner);
}

/** The same, once the lab's server has its bytes. */
export async function broughtRelease(plans: PlanDesk, bytes: Uint8Array, version: string): Promise<AgentUpdate> {
  const update = releaseOf(bytes, version);
  const facts = artifactOf(update);
  if (facts === undefined) throw new Error("an update has an artifact");
  await bringProgram(plans, facts, bytes);
  return update;
}

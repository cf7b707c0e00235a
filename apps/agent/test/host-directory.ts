import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { rmSync } from "node:fs";
import { type AgentPaths, agentPaths } from "../src/config.ts";

export interface HostDirectory {
  readonly root: string;
  readonly paths: AgentPaths;
  readonly owner: number;
  /** Makes it the disk of another machine. */
  setMachine(digit: string): void;
}

/** A directory in place of `/`, as a host without an agent has it. It is gone after the test. */
export function makeHostDirectory(): HostDirectory {
  const root = mkdtempSync(join(tmpdir(), "gha-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const paths = agentPaths(root);
  for (const each of ["etc", "run/gatehouse", "var/lib/private/gatehouse-agent"]) {
    mkdirSync(join(root, each), { recursive: true });
  }
  writeFileSync(join(root, "etc/os-release"), 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 13 (trixie)"\n');
  const setMachine = (digit: string) => writeFileSync(join(root, "etc/machine-id"), `${digit.repeat(32)}\n`);
  setMachine("a");
  return { root, paths, owner: process.getuid?.() ?? 0, setMachine };
}

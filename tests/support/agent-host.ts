import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { systemClock } from "@gatehouse/base";
import { startParts } from "../evil-server/running-agent.ts";
import { childEnvironment } from "./child-environment.ts";
import { type AgentPaths, agentPaths } from "../../apps/agent/src/config.ts";
import { beginEnrolment } from "../../apps/agent/src/enrol/begin-enrolment.ts";
import { type Ended, Program } from "../../apps/cli/test/program.ts";
import { root as repository } from "../../apps/cli/test/real-server.ts";

/** A host in a directory, on which the product's own agent runs from its sources. */
export interface AgentHost {
  readonly nodeId: string;
  readonly paths: AgentPaths;
  /** Runs a verb of the agent as root of this host. */
  run(...words: string[]): Promise<Ended>;
  /** Starts its network part: it is online a moment later. */
  connect(): void;
  stop(): Promise<void>;
}

const main = join(repository, "apps/agent/src/main.ts");

/**
 * Spends a code as `gatehouse-agent enrol` does, without installing: that is for the compiled file and systemd. Its helper runs from
 * then on.
 */
export async function makeAgentHost(code: string, files: Readonly<Record<string, string>>): Promise<AgentHost> {
  const root = mkdtempSync(join(tmpdir(), "gha-"));
  const paths = agentPaths(root);
  for (const each of ["run/gatehouse", "var/lib/private/gatehouse-agent", "work"]) {
    mkdirSync(join(root, each), { recursive: true });
  }
  const usual = { "etc/machine-id": `${"a".repeat(32)}\n`, "etc/os-release": 'PRETTY_NAME="Debian GNU/Linux 13"\n' };
  for (const [path, text] of Object.entries({ ...usual, ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  const place = { paths, environment: {}, startedIn: join(root, "work") };
  const helper = await startParts(place, [process.execPath, main]);
  const start = (words: readonly string[]) =>
    new Program(process.execPath, [main, ...words, "--root", root], { cwd: place.startedIn, env: childEnvironment() });
  const run = (words: readonly string[], input = "") => {
    const program = start(words);
    program.child.stdin?.end(input);
    return program.ended;
  };
  const begun = await beginEnrolment(
    { paths, owner: process.getuid?.() ?? 0, clock: systemClock },
    { code, newIdentity: true },
  );
  const spent = await run(["enrol-exchange"], `${code}\n`);
  if (spent.code !== 0) throw new Error(`the code was not spent: ${spent.out}${spent.err}`);
  await begun.finish();
  let networkPart: Program | undefined;
  return {
    nodeId: begun.nodeId,
    paths,
    run: (...words) => run(words),
    connect: () => void (networkPart = start(["run"])),
    stop: async () => {
      networkPart?.child.kill("SIGTERM");
      await networkPart?.ended;
      await helper.stop();
      rmSync(root, { recursive: true });
    },
  };
}

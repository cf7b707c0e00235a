import { join } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { agentWords, planLimits } from "@gatehouse/plan";
import { agentPaths } from "../config.ts";
import { sayFailedProgram } from "./failed-program.ts";
import type { ChangeGround, HostChange } from "./host-operation.ts";
import type { OwnProgram } from "./own-program.ts";
import { measureFile } from "./poured-file.ts";
import { programRights, replacedProgram } from "./replaced-program.ts";

const { binary, rescue } = agentPaths("/");

/** systemd takes an order at once, or not at all. */
const orderMs = 10_000;

/**
 * The agent's own program. What replaces it goes on with the change, because nothing else shows that it can; and until it is confirmed
 * another copy of the one before it takes the change back.
 */
export function openChangeAgent(own: OwnProgram): HostChange<"agent.update"> {
  return {
    validate: async (ground, operation) => {
      await needRescue(ground);
      await replacedProgram.validate(ground, binary, operation);
    },
    snapshot: (ground) => replacedProgram.snapshot(ground, binary),
    prove: (ground, _, copy) => replacedProgram.prove(ground, binary, copy),
    apply: (ground, operation) => replacedProgram.apply(ground, binary, operation, programRights(ground)),
    isApplied: (ground, operation) => replacedProgram.isApplied(ground, binary, operation),
    restore: (ground, _, copy) => replacedProgram.restore(ground, binary, copy),
    finish: (ground) => replacedProgram.finish(ground, binary),
    isOwn: true,
    startAnew,
    successor: {
      start: handOver,
      isThis: async (_, { version, architecture, sha256 }) =>
        own.version === version && own.architecture === architecture && (await own.digest()) === sha256,
    },
  };
}

/** What takes the change back says which agent is installed, and knows no other than itself. */
async function needRescue({ root }: ChangeGround): Promise<void> {
  const [kept, installed] = [await digestAt(join(root, rescue)), await digestAt(join(root, binary))];
  if (kept !== undefined && kept === installed) return;
  throw fault("validate.failed", `${rescue}: expected the program that is installed, found ${kept ?? "none"}`);
}

async function digestAt(path: string): Promise<string | undefined> {
  return (await measureFile(path, planLimits.artifactBytes))?.sha256;
}

/** Who asks for it is ended by it, with this process: only what says by itself that it has failed has failed. */
async function handOver({ run }: ChangeGround): Promise<void> {
  const ran = await run("systemctl", agentWords.handOver, orderMs);
  const isOrdered = ran.code === 0 || (ran.code === null && ran.cut === undefined);
  if (!isOrdered) throw fault("check.failed", sayFailedProgram("systemctl", ran));
}

/** Whatever still runs of what was taken back may hang, and may have failed more often than systemd takes. */
async function startAnew(ground: ChangeGround): Promise<void> {
  for (const words of [...agentWords.kill, ...agentWords.resetFailed]) {
    // There may be nothing to end, and nothing that has failed.
    await ground.run("systemctl", words, orderMs);
  }
  for (const words of agentWords.startAnew) {
    const ran = await ground.run("systemctl", words, orderMs);
    if (ran.code !== 0) throw fault("restore.failed", sayFailedProgram("systemctl", ran));
  }
}

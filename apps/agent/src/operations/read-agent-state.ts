import { fault } from "@gatehouse/contract/faults";
import { planLimits } from "@gatehouse/plan";
import { agentPaths } from "../config.ts";
import type { HostOperation } from "./host-operation.ts";
import type { OwnProgram } from "./own-program.ts";
import { readPlainFile } from "./read-plain-file.ts";

const { binary } = agentPaths("/");

/**
 * The agent that is installed. Nothing but the program itself says which version it is, and none is started to be asked: where another
 * one is installed than the one that runs, nobody can tell.
 */
export function openReadAgentState(own: OwnProgram): HostOperation["readState"] {
  return async (ground) => {
    const found = await readPlainFile(ground, binary, { mostBytes: planLimits.artifactBytes, isLinkedOften: false });
    if (found === null) return null;
    const { version, architecture, digest } = own;
    const sha256 = await digest();
    if (found.isPrivate) throw fault("state.unreadable", `${binary}: expected a program that everybody may read`);
    if (found.digest === sha256) return { sha256, version, architecture };
    throw fault("state.unreadable", `${binary}: expected the agent that runs, ${version}, found another program`);
  };
}

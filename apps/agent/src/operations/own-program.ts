import { agentVersion } from "../commands/agent-version.ts";
import { digestFile } from "../local/digest-file.ts";

/** The program that runs this, as it says itself and as the kernel has it. */
export interface OwnProgram {
  readonly version: string;
  readonly architecture: string;
  /** Of its bytes, whatever has their name by now. */
  readonly digest: () => Promise<string>;
}

export const ownProgram: OwnProgram = {
  version: agentVersion,
  architecture: process.arch,
  digest: digestOnce("/proc/self/exe"),
};

/** It cannot change while it runs. */
function digestOnce(program: string): () => Promise<string> {
  let known: string | undefined;
  return async () => (known ??= await digestFile(program));
}

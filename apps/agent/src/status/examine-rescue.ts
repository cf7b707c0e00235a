import { lstatSync } from "node:fs";
import type { AgentPaths } from "../config.ts";
import { digestFile } from "../local/digest-file.ts";
import { badFinding, enrolAgain, type Finding, goodFinding, notedFinding } from "./finding.ts";

const name = "rescue program";

/** What takes changes back at boot and when time is up: without it no change is begun. */
export async function examineRescue({ rescue, binary }: AgentPaths, owner: number): Promise<Finding> {
  const found = lstatSync(rescue, { throwIfNoEntry: false });
  if (found === undefined) return badFinding(name, `${rescue} is not there`, enrolAgain);
  if (!found.isFile() || found.uid !== owner || (found.mode & 0o022) !== 0) {
    return badFinding(name, `${rescue} could have been written by others than root`, enrolAgain);
  }
  const [kept, installed] = [await digestFile(rescue), await findDigest(binary)];
  if (kept === installed) return goodFinding(name, `${rescue} is the program that is installed`);
  return notedFinding(
    name,
    `${rescue} is another program than ${binary}`,
    "After an update this is so until the update is confirmed. Otherwise enrol again: it installs both.",
  );
}

async function findDigest(path: string): Promise<string | undefined> {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined ? undefined : digestFile(path);
}

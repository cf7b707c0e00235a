import { constants } from "node:fs";
import { copyFile, lstat, open, readlink, rename, rm, symlink } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { fault } from "@gatehouse/contract/faults";
import { nodeVfs } from "@gatehouse/files";
import type { AgentPaths } from "../config.ts";
import { openDirectory } from "./put-file.ts";

/**
 * Copies the running file to a place: whole or not at all, and synced before it has its name. `self` is the file that runs and
 * not its name, so that what was checked before it was started is what is installed.
 */
export async function installProgram(place: string, self: string): Promise<void> {
  const directory = dirname(place);
  await openDirectory(directory).catch((cause: unknown) => {
    throw fault("host.unsuitable", `${directory} cannot be made: /usr must be writable`, { cause });
  });
  const fresh = `${place}.tmp`;
  await rm(fresh, { force: true });
  await copyFile(self, fresh, constants.COPYFILE_EXCL);
  const file = await open(fresh, "r+");
  try {
    await file.chmod(0o755);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(fresh, place);
  await nodeVfs.syncDirectory(directory);
}

/** The name by which people find it. A file of somebody else that has it stays; then the answer is false. */
export async function linkProgram({ link, binary }: AgentPaths): Promise<boolean> {
  const target = relative(dirname(link), binary);
  const found = await lstat(link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return undefined;
  });
  if (found === undefined) {
    await openDirectory(dirname(link));
    await symlink(target, link);
    return true;
  }
  return found.isSymbolicLink() && (await readlink(link)) === target;
}

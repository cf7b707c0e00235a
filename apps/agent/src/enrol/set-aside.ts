import { chmodSync, existsSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { nodeVfs, writeDurably } from "@gatehouse/files";

export interface SetAside {
  /** Puts the file back as it was, or removes it when there was none. */
  restore(): Promise<void>;
  /** What is there now stays. */
  forget(): Promise<void>;
}

/** Copies a file aside before it is replaced. A copy that a crash has left is the older truth, and is put back first. */
export async function setAside(path: string): Promise<SetAside> {
  const aside = `${path}.before`;
  const putBack = async () => {
    await nodeVfs.rename(aside, path);
    await nodeVfs.syncDirectory(dirname(path));
  };
  if (existsSync(aside)) await putBack();
  const isThere = existsSync(path);
  if (isThere) {
    const { mode } = statSync(path);
    await writeDurably(nodeVfs, aside, readFileSync(path));
    chmodSync(aside, mode & 0o777);
  }
  return {
    restore: () => (isThere ? putBack() : nodeVfs.remove(path)),
    forget: () => nodeVfs.remove(aside),
  };
}

import { nodeVfs, type Vfs } from "@gatehouse/files";

/** The disk, without waiting for it: for tests in which nobody cuts the power. */
export const hastyVfs: Vfs = {
  ...nodeVfs,
  open: async (path, mode) => Object.assign(await nodeVfs.open(path, mode), { sync: () => Promise.resolve() }),
  syncDirectory: () => Promise.resolve(),
};

/**
 * Files: the few file operations that durable things are made of, on the disk, and how a file is replaced whole or not at all.
 * Never follows a link, and never knows what the bytes mean.
 */
export { nodeVfs } from "./node-vfs.ts";
export { ownDirectory, ownFile } from "./owned-file.ts";
export { isAbsent, isFull, type Vfs, type VfsFile } from "./vfs.ts";
export {
  createAnew,
  makeDirectoryDurably,
  replaceDurably,
  syncOrEnd,
  UnknownOutcome,
  writeDurably,
} from "./write-durably.ts";

import { close, fstat, lstat, open, opendir, read } from "node:fs";
import { promisify } from "node:util";

/**
 * The calls a bundle is read with, on bare descriptors: a forgotten `FileHandle` would end the whole process when it is
 * collected. They stand in one object so that a test can step in between two of them.
 */
export const systemFiles = {
  open: promisify(open),
  read: promisify(read),
  fstat: promisify(fstat),
  close: promisify(close),
  lstat: promisify(lstat),
  opendir: promisify(opendir),
};

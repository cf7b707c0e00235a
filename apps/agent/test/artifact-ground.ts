import { mkdirSync, readdirSync } from "node:fs";
import type { Vfs } from "@gatehouse/files";
import { onTestFinished } from "vitest";
import { openArtifactInbox } from "../src/tasks/open-artifact-inbox.ts";
import { hastyVfs } from "./hasty-vfs.ts";
import { makeHostDirectory } from "./host-directory.ts";
import { manualTimers } from "./manual-timers.ts";

const gib = 1024 ** 3;

/** An inbox for artifacts in a directory of its own, on a disk that is as full as the test says. */
export function makeArtifactGround(more: Partial<Vfs> = {}) {
  const { paths } = makeHostDirectory();
  mkdirSync(paths.helperState, { recursive: true });
  const timers = manualTimers();
  const lines: string[] = [];
  const disk = { free: 90 * gib, total: 100 * gib };
  const vfs: Vfs = { ...hastyVfs, space: async () => disk, ...more };
  const open = () => openArtifactInbox({ paths, timers, vfs, log: (line) => void lines.push(line) });
  const artifacts = open();
  onTestFinished(() => artifacts.close());
  return {
    artifacts,
    /** What the next process of the helper would have. */
    openAnew: open,
    paths,
    timers,
    lines,
    disk,
    /** Names of what stands in the directory. */
    left: () => readdirSync(paths.inbox),
  };
}

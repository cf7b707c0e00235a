import { execFile } from "node:child_process";
import { chmod, cp, link, mkdir, rename, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { VectorEntry } from "./make-vectors.ts";
import type { PlantStep } from "./vector.ts";

/** Copies a vector to the directory `to`, which must not exist, and carries out its plant steps there. */
export async function plantVector(vectors: string, entry: VectorEntry, to: string): Promise<void> {
  await cp(join(vectors, entry.directory), to, { recursive: true });
  for (const step of entry.plant) await plantStep(step, (path) => join(to, path));
}

async function plantStep(step: PlantStep, at: (path: string) => string): Promise<void> {
  switch (step.do) {
    case "write":
      return writeFile(at(step.path), step.text);
    case "directory":
      return mkdir(at(step.path));
    case "symlink":
      return symlink(step.target, at(step.path));
    case "hardlink":
      return link(at(step.path), at(step.to));
    case "fifo":
      return void (await promisify(execFile)("mkfifo", [at(step.path)]));
    case "size":
      return truncate(at(step.path), step.size);
    case "chmod":
      return chmod(at(step.path), Number.parseInt(step.mode, 8));
    case "move":
      return rename(at(step.path), at(step.to));
    case "remove":
      return rm(at(step.path), { recursive: true });
  }
}

import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { repository } from "../lab/image.ts";
import { sh } from "../lab/lab.ts";

export interface ReachableCopy {
  readonly directory: string;
  readonly node: string;
}

/** What the program of a place imports. */
const sources = ["package.json", "tests/sandbox", "tests/support"];

/**
 * This Node and the sources of the suite where every user can read them: nobody, the container's user and every plugin. The
 * checkout itself may lie in a directory that only its owner can enter.
 */
export async function copyForEverybody(directory: string): Promise<ReachableCopy> {
  const node = join(directory, "bin/node");
  mkdirSync(join(directory, "bin"), { recursive: true });
  cpSync(process.execPath, node, { dereference: true });
  for (const path of sources) cpSync(join(repository, path), join(directory, path), { recursive: true });
  mkdirSync(join(directory, "node_modules/@gatehouse"), { recursive: true });
  const packages = readdirSync(join(repository, "packages")).map((name) => `packages/${name}`);
  for (const path of packages) {
    for (const part of ["package.json", "src"])
      cpSync(join(repository, path, part), join(directory, path, part), { recursive: true });
    symlinkSync(`../../${path}`, join(directory, "node_modules/@gatehouse", basename(path)));
  }
  for (const path of new Set(packages.flatMap(librariesOf)))
    cpSync(join(repository, path), join(directory, path), { recursive: true });
  await sh("chmod", ["-R", "u=rwX,go=rX", directory]);
  chmodSync(node, 0o755);
  return { directory, node };
}

/** What the package at this path uses that is not ours, and what that uses in turn. */
function librariesOf(path: string): string[] {
  const { dependencies = {} } = JSON.parse(readFileSync(join(repository, path, "package.json"), "utf8")) as {
    dependencies?: Record<string, string>;
  };
  const found = Object.keys(dependencies).filter((name) => !name.startsWith("@gatehouse/"));
  return found.flatMap((name) => [`node_modules/${name}`, ...librariesOf(`node_modules/${name}`)]);
}

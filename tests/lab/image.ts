import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { needBaseImage } from "./base-image.ts";
import { startEngine } from "./engine.ts";
import { docker } from "./lab.ts";
import { hasImage } from "./made-image.ts";

export const repository = resolve(import.meta.dirname, "../..");

/** The tag the compose file names: a version, never a moving one. */
export const image = `gatehouse:${(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string }).version}`;

/**
 * An engine of our own and the product's image on it, of exactly the bytes in this checkout: an image is kept under the digest
 * of what it was built from, and built only when there is none. Returns the way to stop the engine.
 */
export async function needImage(): Promise<() => Promise<void>> {
  const stop = await startEngine();
  try {
    const base = await needBaseImage();
    const own = `gatehouse-lab:${digestOf(base)}`;
    if (!(await hasImage(own))) await build(own);
    // Another checkout of the same version may have had the tag.
    await docker("tag", own, image);
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

async function build(tag: string): Promise<void> {
  const file = join(repository, "deploy/docker/Dockerfile");
  // The engine has no way out of its own; a build uses the host's network to reach the package registries.
  await docker("build", "--network=host", "--file", file, "--tag", tag, repository);
}

/** What `.dockerignore` lets into a build: names, modes and bytes. Times do not matter to a build. */
function digestOf(base: string): string {
  const ignore = readFileSync(join(repository, ".dockerignore"), "utf8").split("\n");
  const roots = ignore.filter((line) => line.startsWith("!")).map((line) => line.slice(1));
  const hash = createHash("sha256").update(base).update(ignore.join("\n"));
  for (const path of roots.toSorted().flatMap(pathsUnder)) {
    const found = lstatSync(join(repository, path));
    hash.update(`\0${path}\0${found.mode}\0`);
    if (found.isFile()) hash.update(readFileSync(join(repository, path)));
  }
  return hash.digest("hex").slice(0, 32);
}

/** The path itself and all below it, in a fixed order; installed modules stay out of a build. */
function pathsUnder(path: string): string[] {
  if (!lstatSync(join(repository, path)).isDirectory()) return [path];
  const names = readdirSync(join(repository, path)).filter((name) => name !== "node_modules");
  return [path, ...names.toSorted().flatMap((name) => pathsUnder(`${path}/${name}`))];
}

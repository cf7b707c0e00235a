import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { needBaseImage } from "./base-image.ts";
import { docker, startEngine } from "./lab.ts";

export const repository = resolve(import.meta.dirname, "../..");

/** The tag the compose file names: a version, never a moving one. */
export const image = `gatehouse:${(JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string }).version}`;

/** An engine of our own and the product's image on it, built from this checkout. Returns the way to stop the engine. */
export async function needImage(): Promise<() => Promise<void>> {
  const stop = await startEngine();
  await needBaseImage();
  const file = join(repository, "deploy/docker/Dockerfile");
  // The engine has no way out of its own; a build uses the host's network to reach the package registries.
  await docker("build", "--network=host", "--file", file, "--tag", image, repository);
  return stop;
}

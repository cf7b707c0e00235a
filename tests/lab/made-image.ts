import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { docker, labDirectory, sh } from "./lab.ts";

export interface Recipe {
  readonly name: string;
  /** The file that holds the recipe: whatever is changed in it makes another image. */
  readonly file: string;
  /** What else decides what is in the image. */
  readonly version: string;
  /** Debian packages besides those that every Debian has. */
  readonly packages: readonly string[];
  /** Settings of the image, in the words of a Dockerfile. */
  readonly changes: readonly string[];
  /** Puts into the tree what is not a package. */
  readonly fill: (root: string) => Promise<void> | void;
}

/**
 * An image of Debian 13, made once; the tarball is kept for the next run, also when the engine has lost the image. Both bear the
 * digest of the recipe, so that a checkout with another one never gets it. Gives the image's name.
 */
export async function needMadeImage(recipe: Recipe): Promise<string> {
  const digest = createHash("sha256");
  for (const file of [recipe.file, import.meta.filename]) digest.update(readFileSync(file));
  const tag = `${recipe.version}-${digest.digest("hex").slice(0, 12)}`;
  const image = `gatehouse-lab-${recipe.name}:${tag}`;
  if (await hasImage(image)) return image;
  const tarball = join(labDirectory, `${recipe.name}-${tag}.tar`);
  if (!existsSync(tarball)) await makeTarball(recipe, tarball);
  await docker("import", ...recipe.changes.flatMap((change) => ["--change", change]), tarball, image);
  return image;
}

export async function hasImage(name: string): Promise<boolean> {
  return docker("image", "inspect", name).then(
    () => true,
    () => false,
  );
}

/** In a directory of this process, and named at the very end: half a tarball is never found. */
async function makeTarball({ name, packages, fill }: Recipe, tarball: string): Promise<void> {
  const work = join(labDirectory, `making-${process.pid}`);
  const root = join(work, "root");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  console.log(`lab: making the Debian 13 image "${name}", about a minute`);
  try {
    await sh("debootstrap", ["--variant=minbase", `--include=${packages.join(",")}`, "trixie", root]);
    await fill(root);
    for (const waste of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man", "usr/share/locale"]) {
      rmSync(join(root, waste), { recursive: true, force: true });
      mkdirSync(join(root, waste), { recursive: true });
    }
    await sh("tar", ["-C", root, "-cf", join(work, "tarball"), "."]);
    renameSync(join(work, "tarball"), tarball);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

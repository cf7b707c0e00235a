import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { docker, labDirectory, sh } from "./lab.ts";

/** The name the Dockerfile asks for. There is no image registry in the lab: the image is made here and tagged so. */
export const nodeImage = "node:26-trixie-slim";
const node = resolve(import.meta.dirname, `../../node_modules/node-linux-${process.arch}/bin/node`);

/**
 * Debian 13 with the pinned Node and npm, made once; the tarball is kept for the next run. Both bear the version of Node and the
 * digest of this recipe, so that a checkout with another one never gets it. Gives the name.
 */
export async function needBaseImage(): Promise<string> {
  const recipe = createHash("sha256")
    .update(readFileSync(import.meta.filename))
    .digest("hex")
    .slice(0, 12);
  const name = `${(await sh(node, ["--version"])).stdout.trim()}-${recipe}`;
  const own = `gatehouse-lab-base:${name}`;
  const present = await docker("image", "inspect", own).then(
    () => true,
    () => false,
  );
  if (!present) {
    const tarball = join(labDirectory, `node-trixie-${name}.tar`);
    if (!existsSync(tarball)) await makeTarball(tarball);
    const changes = ["ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt", 'CMD ["node"]'];
    await docker("import", ...changes.flatMap((change) => ["--change", change]), tarball, own);
  }
  await docker("tag", own, nodeImage);
  return own;
}

/** In a directory of this process, and named at the very end: half a tarball is never found. */
async function makeTarball(tarball: string): Promise<void> {
  const work = join(labDirectory, `making-${process.pid}`);
  const root = join(work, "root");
  rmSync(work, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  console.log("lab: making a Debian 13 base image, about a minute");
  try {
    await fill(root);
    await sh("tar", ["-C", root, "-cf", join(work, "tarball"), "."]);
    renameSync(join(work, "tarball"), tarball);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

async function fill(root: string): Promise<void> {
  await sh("debootstrap", ["--variant=minbase", "--include=ca-certificates,libatomic1,libstdc++6", "trixie", root]);
  cpSync(node, join(root, "usr/local/bin/node"));
  // npm-cli.js lies in `npm/bin`, whatever the prefix of the Node that asks.
  const npm = resolve(realpathSync((await sh("which", ["npm"])).stdout.trim()), "../..");
  cpSync(npm, join(root, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
  await sh("ln", ["-sf", "../lib/node_modules/npm/bin/npm-cli.js", join(root, "usr/local/bin/npm")]);
  await sh("ln", ["-sf", "../lib/node_modules/npm/bin/npx-cli.js", join(root, "usr/local/bin/npx")]);
  // The certificates and the package settings of this machine, so that npm in a build reaches what npm reaches here.
  cpSync("/etc/ssl/certs/ca-certificates.crt", join(root, "etc/ssl/certs/ca-certificates.crt"), { dereference: true });
  mkdirSync(join(root, "usr/local/etc"), { recursive: true });
  writeFileSync(
    join(root, "usr/local/etc/npmrc"),
    "cafile=/etc/ssl/certs/ca-certificates.crt\nupdate-notifier=false\n",
  );
  for (const waste of ["var/cache/apt", "var/lib/apt/lists", "usr/share/doc", "usr/share/man"]) {
    rmSync(join(root, waste), { recursive: true, force: true });
    mkdirSync(join(root, waste), { recursive: true });
  }
}

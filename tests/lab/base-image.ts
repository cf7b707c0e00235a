import { cpSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { docker, sh } from "./lab.ts";
import { needMadeImage } from "./made-image.ts";

/** The name the Dockerfile asks for. There is no image registry in the lab: the image is made here and tagged so. */
export const nodeImage = "node:26-trixie-slim";
const node = resolve(import.meta.dirname, `../../node_modules/node-linux-${process.arch}/bin/node`);

/** Debian 13 with the pinned Node and npm, under the name the Dockerfile asks for. Gives its own name. */
export async function needBaseImage(): Promise<string> {
  const own = await needMadeImage({
    name: "base",
    file: import.meta.filename,
    version: (await sh(node, ["--version"])).stdout.trim(),
    packages: ["ca-certificates", "libatomic1", "libstdc++6"],
    changes: ["ENV NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt", 'CMD ["node"]'],
    fill,
  });
  await docker("tag", own, nodeImage);
  return own;
}

async function fill(root: string): Promise<void> {
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
}

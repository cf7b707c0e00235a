import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { stampFileName } from "../apps/server/src/platform/build-info/index.ts";
import { bundleCli, cliFileName } from "./build/bundle-cli.ts";
import { bundleDashboard } from "./build/bundle-dashboard.ts";
import { type BuiltSite, makeSite } from "./build/site-files.ts";
import { type LockFile, makeSbom, sbomFileName, sbomText } from "./build/sbom.ts";
import { makeStamp } from "./build/stamp.ts";

/**
 * `npm run build`: makes `dist/site` (hashed names, compressed copies, the map), `dist/cli` (the command line as one file,
 * with its digest), `dist/build-info.json` and `dist/sbom.cdx.json`.
 * Options: `--channel stable|alpha|beta|dev`, `--commit SHA`; SOURCE_DATE_EPOCH is honoured.
 */
const started = performance.now();
const root = resolve(import.meta.dirname, "..");
const dist = join(root, "dist");
const { values } = parseArgs({ options: { channel: { type: "string" }, commit: { type: "string" } } });
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };

const stamp = makeStamp({
  root,
  version,
  channel: values.channel,
  commit: values.commit,
  sourceDateEpoch: process.env["SOURCE_DATE_EPOCH"],
  now: Date.now(),
});
const site = makeSite(await bundleDashboard());
putSite(site);
const cli = await bundleCli(join(dist, "cli"));
writeFileSync(join(dist, stampFileName), `${JSON.stringify(stamp, null, 2)}\n`);
const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as LockFile;
writeFileSync(join(dist, sbomFileName), sbomText(makeSbom(lock, version)));
report();

/** Written beside the old site and swapped in, so that nobody reads half of it. */
function putSite({ files }: BuiltSite): void {
  const fresh = join(dist, `site.${process.pid}`);
  mkdirSync(fresh, { recursive: true });
  for (const [name, bytes] of files) writeFileSync(join(fresh, name), bytes);
  rmSync(join(dist, "site"), { recursive: true, force: true });
  renameSync(fresh, join(dist, "site"));
}

function report(): void {
  for (const { file, compressed } of [site.map.shell, site.map.themeInit, ...Object.values(site.map.assets)]) {
    const brotli = compressed ? `, ${size(`${file}.br`)} as brotli` : "";
    console.log(`dist/site/${file}  ${size(file)}${brotli}`);
  }
  console.log(`dist/cli/${cliFileName}  ${cli.size} bytes, sha256 ${cli.sha256}`);
  console.log(`dist/${stampFileName}  ${version} ${stamp.channel}, commit ${stamp.commit}, ${stamp.builtAt}`);
  console.log(`built in ${Math.round(performance.now() - started)} ms`);
}

function size(name: string): string {
  return `${site.files.get(name)?.length ?? 0} bytes`;
}

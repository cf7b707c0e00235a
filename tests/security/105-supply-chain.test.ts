import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { makeScratch } from "./support/scratch.ts";
import { attacked } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Gatehouse 0.1.5: the image came with a package manager and an interpreter that plugins could run, from a base that nothing could pin, and
 * nothing listed what was in it. The running container is asked for the same (`npm run lab:container`).
 */
interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly hasInstallScript?: boolean;
}

const read = (name: string) => readFileSync(join(attacked, name), "utf8");
const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, Locked> };
const foreign = Object.entries(packages).filter(([path, { link }]) => path.includes("node_modules/") && link !== true);

test("every package is pinned by its digest, comes from the registry, and runs nothing when it is installed for the server", (context) => {
  const loose = foreign.filter(([, { integrity }]) => !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? ""));
  const elsewhere = foreign.filter(([, { resolved = "" }]) => /^(git|file|http:)/.test(resolved));
  const scripts = foreign.filter(([, { hasInstallScript, dev }]) => hasInstallScript === true && dev !== true);
  expect([loose, elsewhere, scripts]).toEqual([[], [], []]);
  tried(context, count(foreign.length, "packages"));
});

test("one command lists every package with its digest, as a standard format", async (context) => {
  await using scratch = await makeScratch();
  const out = join(scratch.path, "sbom.json");
  await promisify(execFile)(process.execPath, [join(attacked, "tools/sbom.ts"), "--out", out]);
  const sbom = JSON.parse(readFileSync(out, "utf8")) as {
    bomFormat: string;
    components: { "bom-ref": string; version: string; hashes: { content: string }[] }[];
  };
  expect(sbom.bomFormat).toBe("CycloneDX");
  const listed = sbom.components.map(
    ({ "bom-ref": path, version, hashes }) => `${path} ${version} ${hashes[0]?.content}`,
  );
  const hex = (integrity = "") => Buffer.from(integrity.slice("sha512-".length), "base64").toString("hex");
  const locked = foreign.map(([path, { version, integrity }]) => `${path} ${version} ${hex(integrity)}`);
  expect(listed.toSorted()).toEqual(locked.toSorted());
  tried(context, count(listed.length, "packages"));
});

test("the image can be built from a pinned base, runs no script of a package, and keeps neither apt nor perl", (context) => {
  const recipe = read("deploy/docker/Dockerfile");
  const bases = [...recipe.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base);
  expect(bases.filter((base) => !["${NODE_IMAGE}", "manifests", "modules", "sources"].includes(base ?? ""))).toEqual(
    [],
  );
  expect(recipe).not.toMatch(/^ARG NODE_IMAGE=.*latest/m);
  const installs = [...recipe.matchAll(/npm (?:ci|install)[^\n&]*/g)].map(([line]) => line);
  expect(installs.filter((line) => !/^npm ci .*--ignore-scripts/.test(line))).toEqual([]);
  expect(recipe).toMatch(/dpkg --purge --force-all (?=.*\bapt\b)(?=.*\bperl-base\b)/);
  tried(context, `${count(bases.length, "stages")}, ${count(installs.length, "installs")}`);
});

import { expect, test } from "vitest";
import { findLines, readText, repositoryFiles } from "./repository.ts";

/** Rules of the house that no linter has. A failing one prints where, as `file:line`. */
const files = repositoryFiles().filter((file) => !/^(tools\/planted|tests\/fixtures)\//.test(file));
const sources = files.filter((file) => /\.(ts|tsx|cjs|mjs|js|sh|c)$/.test(file));
const production = sources.filter(
  (file) => /^(apps|packages|plugins)\/[^/]+\/src\/.*\.tsx?$/.test(file) && !isTest(file),
);
const manifests = files.filter((file) => /(^|\/)package\.json$/.test(file));
const texts = files.filter((file) => !/\.(png|ico|woff2|gz|br|db|wasm)$/.test(file));

const folderWithDoor = /^(apps\/server\/src\/(?:features|platform)\/[^/]+|packages\/[^/]+\/src)\//;

/** The door of a folder in the server, and the doors that a package's package.json names. */
function doorsOf(folder: string): string[] {
  if (!folder.startsWith("packages/")) return [`${folder}/index.ts`];
  const home = folder.slice(0, -"/src".length);
  const { exports } = JSON.parse(readText(`${home}/package.json`)) as { exports: Record<string, string> };
  return Object.values(exports).map((path) => path.replace(/^\./, home));
}

const foldersWithDoors = [...new Set(sources.flatMap((file) => folderWithDoor.exec(file)?.[1] ?? []))];

test("every door says what is behind it and what it never does", () => {
  const doors = foldersWithDoors.flatMap(doorsOf).filter((door) => door.endsWith("/index.ts") && files.includes(door));
  expect(doors.length).toBeGreaterThan(0);
  const undocumented = doors.filter((door) => {
    const comment = /^\/\*\*([\s\S]+?)\*\//.exec(readText(door))?.[1] ?? "";
    return !/^\s*\*? ?[A-Z][^:]*: .+\./s.test(comment) || !/\bnever\b/i.test(comment);
  });
  expect(undocumented).toEqual([]);
});

test("every feature, platform folder and package has a door", () => {
  expect(foldersWithDoors.flatMap(doorsOf).filter((door) => !files.includes(door))).toEqual([]);
});

test("nothing is exported by star: a door names what it shows", () => {
  expect(production.flatMap((file) => findLines(file, /^export \*/))).toEqual([]);
});

test("no source file is longer than 400 lines", () => {
  const long = sources
    .map((file) => [readText(file).split("\n").length, file] as const)
    .filter(([lines]) => lines > 401);
  expect(long).toEqual([]);
});

test("unfinished work is not marked in the text; it is finished or written down as a limit", () => {
  const marks = new RegExp(`\\b(${["TO", "DO"].join("")}|${["FIX", "ME"].join("")}|${["X", "XX"].join("")})\\b`);
  expect(texts.flatMap((file) => findLines(file, marks))).toEqual([]);
});

test("no test is skipped or runs alone", () => {
  const alone = /\b(test|it|describe|suite)\.(only|skip|todo)\(/;
  expect(sources.filter(isTest).flatMap((file) => findLines(file, alone))).toEqual([]);
});

test("the repository names no package registry and no path of somebody's machine", () => {
  const registry = new RegExp(["registry", "(npmjs|yarnpkg|npmmirror)", "(org|com)"].join("\\."));
  const machine = /(^|[\s"'`=(:])\/(work|home|Users|root)\/[\w.-]/;
  const found = texts.flatMap((file) => [...findLines(file, registry), ...findLines(file, machine)]);
  expect(found).toEqual([]);
});

test("production code imports by literal names only, or the import rules could not judge it", () => {
  const hidden = /\bimport\(\s*[^"'\s)]|createRequire\(|getBuiltinModule|process\.binding|\brequire\(/;
  expect(production.flatMap((file) => findLines(file, hidden))).toEqual([]);
});

test("a package declares every package of ours that it imports", () => {
  const undeclared = production.flatMap((file) => {
    const home = /^[^/]+\/[^/]+/.exec(file)?.[0] ?? "";
    const { name, dependencies: shipped = {}, devDependencies = {} } = readManifest(`${home}/package.json`);
    // The dashboard is bundled when it is built: all it imports is needed then, and nothing of it later.
    const dependencies = home === "apps/dashboard" ? { ...shipped, ...devDependencies } : shipped;
    const names = [...readText(file).matchAll(/from "(@gatehouse\/[a-z-]+)/g)].map((match) => match[1] ?? "");
    return names.filter((used) => used !== name && !(used in dependencies)).map((used) => `${file}: ${used}`);
  });
  expect(undeclared).toEqual([]);
});

test("every dependency has an exact version", () => {
  const loose = manifests.flatMap((file) => {
    const { dependencies, devDependencies, optionalDependencies, overrides } = readManifest(file);
    const versions = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies, ...overrides });
    return versions
      .filter(([name, version]) => !(name.startsWith("@gatehouse/") && version === "*"))
      .filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
      .map(([name, version]) => `${file}: ${name} ${version}`);
  });
  expect(loose).toEqual([]);
});

test("the lock file holds hashes and no addresses, so that it installs from any mirror", () => {
  const lock = JSON.parse(readText("package-lock.json")) as { packages: Record<string, LockedPackage> };
  const packages = Object.entries(lock.packages).filter(([path]) => path.includes("node_modules/"));
  expect(packages.filter(([, locked]) => /^https?:/.test(locked.resolved ?? "")).map(([path]) => path)).toEqual([]);
  expect(packages.filter(([, locked]) => !locked.link && locked.integrity === undefined).map(([path]) => path)).toEqual(
    [],
  );
});

test("the version stands in one place, and the changelog begins with it or with what is not released", () => {
  const { version } = readManifest("package.json");
  expect(version).toMatch(/^\d+\.\d+\.\d+(-(alpha|beta)\.[1-9]\d*)?$/);
  expect(manifests.filter((file) => ![undefined, version].includes(readManifest(file).version))).toEqual([]);
  const newest = /^## (\S+)/m.exec(readText("CHANGELOG.md"))?.[1];
  expect(["Unreleased", "Unreleased:", version, `${version}:`]).toContain(newest);
});

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly overrides?: Record<string, string>;
}

interface LockedPackage {
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
}

function readManifest(file: string): Manifest {
  return JSON.parse(readText(file)) as Manifest;
}

function isTest(file: string): boolean {
  return /\.test\.tsx?$|^tests\//.test(file);
}

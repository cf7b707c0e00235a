import { createHash } from "node:crypto";

/** What is read of `package-lock.json`, of lock file version 3. */
export interface LockFile {
  readonly packages: Readonly<Record<string, LockedPackage>>;
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly link?: boolean;
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly devOptional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
}

/** Where a package ends up: in the server's modules, in the page that it serves, in the agent's file, or nowhere but on the machine that builds. */
type Place = "server" | "page" | "agent" | "build";

export interface Component {
  readonly type: "library";
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly "bom-ref": string;
  readonly scope: "required" | "excluded";
  readonly hashes: readonly { readonly alg: "SHA-512"; readonly content: string }[];
  readonly licenses: readonly { readonly expression: string }[];
  readonly properties: readonly { readonly name: "gatehouse:place"; readonly value: Place }[];
}

export interface Sbom {
  readonly bomFormat: "CycloneDX";
  readonly specVersion: "1.6";
  readonly serialNumber: string;
  readonly version: 1;
  readonly metadata: {
    readonly component: { readonly type: "application"; readonly name: "gatehouse"; readonly version: string };
  };
  readonly components: readonly Component[];
}

export const sbomFileName = "sbom.cdx.json";
const page = "apps/dashboard";
/** The runtime that the agent's file consists of. */
const runsTheAgent = /^@oven\/bun-/;
/** What the page's sources need to be checked and bundled, and what is in no bundle. */
const onlyToBuild = /^@(types|vitejs)\//;

/** Every package of the lock file with its digest, as CycloneDX. Pure: the same lock file gives the same bytes. */
export function makeSbom(lock: LockFile, version: string): Sbom {
  const inPage = packagesOf(lock, page);
  const components = Object.entries(lock.packages)
    .filter(([path, { link }]) => path.includes("node_modules/") && link !== true)
    .map(([path, found]) => component(path, found, inPage.has(path)))
    .toSorted((one, other) => (one["bom-ref"] < other["bom-ref"] ? -1 : 1));
  const digest = createHash("sha256").update(version).update(JSON.stringify(components)).digest("hex");
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${asUuid(digest)}`,
    version: 1,
    metadata: { component: { type: "application", name: "gatehouse", version } },
    components,
  };
}

export function sbomText(sbom: Sbom): string {
  return `${JSON.stringify(sbom, null, 1)}\n`;
}

function component(path: string, found: LockedPackage, isInPage: boolean): Component {
  const name = nameOf(path);
  const { version, integrity, license } = found;
  const [, sha512] = /^sha512-([A-Za-z0-9+/]{86}==)$/.exec(integrity ?? "") ?? [];
  if (version === undefined || sha512 === undefined)
    throw new Error(`${path}: expected a version and one sha512 in the lock file, found ${version} and ${integrity}`);
  const place = runsTheAgent.test(name) ? "agent" : placeOf(found, isInPage);
  return {
    type: "library",
    name,
    version,
    purl: `pkg:npm/${name.replace("@", "%40")}@${version}`,
    // The same version may be there twice.
    "bom-ref": path,
    scope: place === "build" ? "excluded" : "required",
    hashes: [{ alg: "SHA-512", content: Buffer.from(sha512, "base64").toString("hex") }],
    licenses: license === undefined ? [] : [{ expression: license }],
    properties: [{ name: "gatehouse:place", value: place }],
  };
}

function placeOf({ dev, optional, devOptional }: LockedPackage, isInPage: boolean): Place {
  if (dev !== true && optional !== true && devOptional !== true) return "server";
  return isInPage ? "page" : "build";
}

/** Paths of all that a workspace needs, found as Node finds them: beside who asks, then in each directory above. */
function packagesOf({ packages }: LockFile, workspace: string): Set<string> {
  const found = new Set<string>();
  const waiting = [workspace];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const { dependencies, devDependencies, peerDependencies } = packages[path] ?? {};
    const wanted = { ...dependencies, ...peerDependencies, ...(path === workspace && devDependencies) };
    for (const name of Object.keys(wanted)) {
      const at = findFrom(packages, path, name);
      if (at === undefined || found.has(at) || onlyToBuild.test(name)) continue;
      found.add(at);
      waiting.push(at);
    }
  }
  return found;
}

function findFrom(packages: LockFile["packages"], from: string, name: string): string | undefined {
  for (let above = from; ; above = above.slice(0, Math.max(0, above.lastIndexOf("/")))) {
    const path = above === "" ? `node_modules/${name}` : `${above}/node_modules/${name}`;
    if (packages[path] !== undefined) return path;
    if (above === "") return undefined;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

function asUuid(hex: string): string {
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    "-",
  );
}

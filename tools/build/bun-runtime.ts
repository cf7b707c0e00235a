import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";

/** How a processor is called by us, by Bun's packages and by Bun's targets. */
export const architectures = {
  x64: { package: "@oven/bun-linux-x64", target: "bun-linux-x64" },
  arm64: { package: "@oven/bun-linux-aarch64", target: "bun-linux-arm64" },
} as const;

export type Architecture = keyof typeof architectures;

interface Locked {
  readonly version: string;
  readonly integrity: string;
}

/**
 * The Bun of the lock file for an architecture. npm installs the one of this machine only; the other's package is fetched once,
 * compared with the lock file's digest and kept. Bun's own download would go around the lock.
 */
export function findBun(root: string, architecture: Architecture): string {
  const name = architectures[architecture].package;
  const installed = join(root, "node_modules", name, "bin/bun");
  if (existsSync(installed)) return installed;
  const locked = lockedPackage(root, name);
  const cache = join(root, "node_modules/.cache/bun");
  const kept = join(cache, createHash("sha256").update(locked.integrity).digest("hex").slice(0, 32));
  if (!existsSync(kept)) fetchPackage({ name, locked, cache, kept });
  return join(kept, "package/bin/bun");
}

/** Runs here: what compiles, whatever it compiles for. */
export function hostBun(root: string): string {
  const own = process.arch === "arm64" ? "arm64" : "x64";
  const bun = join(root, "node_modules", architectures[own].package, "bin/bun");
  if (!existsSync(bun)) throw new Error(`${architectures[own].package} is not installed: run npm ci`);
  return bun;
}

function fetchPackage(wanted: { name: string; locked: Locked; cache: string; kept: string }): void {
  const { name, locked, cache, kept } = wanted;
  mkdirSync(cache, { recursive: true });
  const fresh = mkdtempSync(join(cache, "fetch-"));
  try {
    const args = ["pack", `${name}@${locked.version}`, "--pack-destination", fresh, "--json", "--silent"];
    const output = execFileSync("npm", args, { stdio: ["ignore", "pipe", "inherit"] }).toString("utf8");
    const archive = join(fresh, nameOfPacked(output));
    const found = `sha512-${createHash("sha512").update(readFileSync(archive)).digest("base64")}`;
    if (found !== locked.integrity) {
      throw new Error(
        `${name} ${locked.version}: expected ${locked.integrity} as in package-lock.json, found ${found}`,
      );
    }
    execFileSync("tar", ["-xzf", archive, "-C", fresh]);
    rmSync(archive);
    renameSync(fresh, kept);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** A list, or with newer npms an object by package. */
function nameOfPacked(output: string): string {
  const [packed] = Object.values(JSON.parse(output) as Record<string, { filename: string }>);
  if (packed === undefined) throw new Error("npm pack named no file");
  return packed.filename.replace(/^@/, "").replaceAll("/", "-");
}

function lockedPackage(root: string, name: string): Locked {
  const lock = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, Partial<Locked> | undefined>;
  };
  const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
  if (version === undefined || integrity === undefined) throw new Error(`package-lock.json does not have ${name}`);
  return { version, integrity };
}

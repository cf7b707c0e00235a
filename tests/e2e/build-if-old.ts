import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "../..");

/** The pages under test are those of the sources: what was built before the last change of them is built again. */
export async function buildIfOld(): Promise<void> {
  const built = timeOf(join(root, "dist/site/map.json"));
  const sources = globSync("apps/dashboard/{src,public}/**/*.{ts,tsx,css,js,svg}", { cwd: root });
  const newest = Math.max(...sources.map((file) => timeOf(join(root, file))));
  if (built >= newest) return;
  console.log("e2e: the site is missing or older than its sources, building it");
  const child = spawn(process.execPath, [join(root, "tools/build.ts")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("npm run build failed");
}

function timeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

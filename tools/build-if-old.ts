import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");

/**
 * The server does not start without its page, and the page under test is that of the sources: a fresh clone is built first,
 * and so is what was changed since. Every suite that starts a server calls this.
 */
export async function buildIfOld(): Promise<void> {
  const built = Math.min(...["dist/site/map.json", "dist/build-info.json"].map((file) => timeOf(file)));
  const sources = globSync(
    ["apps/dashboard/{src,public}/**/*.{ts,tsx,css,js,svg}", "apps/dashboard/{vite.config.ts,index.html}"],
    { cwd: root },
  );
  const newest = Math.max(...sources.map(timeOf));
  if (built >= newest) return;
  console.log("dist is missing or older than the page's sources, building it");
  const child = spawn(process.execPath, [join(root, "tools/build.ts")], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = (await once(child, "exit")) as [number | null];
  if (code !== 0) throw new Error("npm run build failed");
}

function timeOf(file: string): number {
  return statSync(join(root, file), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

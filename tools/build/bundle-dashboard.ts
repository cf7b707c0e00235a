import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { root } from "../repository.ts";
import type { SiteSources } from "./site-files.ts";

/** The dashboard as Vite makes it, in memory: names without hashes, which `makeSite` gives them. */
export async function bundleDashboard(): Promise<SiteSources> {
  const home = join(root, "apps/dashboard");
  const made = (await build({
    configFile: join(home, "vite.config.ts"),
    mode: "production",
    logLevel: "warn",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  const files = new Map<string, Buffer>();
  for (const part of made.output) {
    files.set(part.fileName, Buffer.from(part.type === "chunk" ? part.code : part.source));
  }
  files.set("theme-init.js", readFileSync(join(home, "public/theme-init.js")));
  return files;
}

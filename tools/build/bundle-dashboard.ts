import { readFileSync } from "node:fs";
import { join } from "node:path";
import { build, type Rolldown } from "vite";
import { root } from "../repository.ts";
import type { SiteSources } from "./site-files.ts";

const home = join(root, "apps/dashboard");

/** The dashboard as Vite makes it, in memory: names without hashes, which `makeSite` gives them. */
export async function bundleDashboard(): Promise<SiteSources> {
  const made = await inProduction(() =>
    build({
      configFile: join(home, "vite.config.ts"),
      mode: "production",
      logLevel: "warn",
      build: { write: false },
    }),
  );
  const files = new Map<string, Buffer>();
  for (const part of (made as Rolldown.RolldownOutput).output) {
    files.set(part.fileName, Buffer.from(part.type === "chunk" ? part.code : part.source));
  }
  files.set("theme-init.js", readFileSync(join(home, "public/theme-init.js")));
  return files;
}

/** Vite takes NODE_ENV from the environment, and a page for development would be built wherever a test asks for one. */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const before = process.env["NODE_ENV"];
  process.env["NODE_ENV"] = "production";
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env["NODE_ENV"];
    else process.env["NODE_ENV"] = before;
  }
}

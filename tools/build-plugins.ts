import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { buildArtifact } from "@gatehouse/plugin-sdk/build";
import { bundlePlugin } from "./build/bundle-plugin.ts";

/**
 * `npm run plugins:build`: makes `dist/plugins/<id>/artifact` and `plugin.json` of every official plugin, ready for
 * `gatehouse plugin pack dist/plugins/<id>/plugin.json dist/plugins/<id>/artifact`.
 */
const root = resolve(import.meta.dirname, "..");
for (const id of readdirSync(join(root, "plugins")).toSorted()) {
  const home = join(root, "plugins", id);
  const { sha256, size } = await buildArtifact(bundlePlugin, {
    entry: join(home, "src/main.ts"),
    description: join(home, "plugin.json"),
    out: join(root, "dist/plugins", id),
  });
  console.log(`built dist/plugins/${id}/artifact: ${size} bytes, sha256 ${sha256}`);
}

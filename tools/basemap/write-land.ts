import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../repository.ts";
import { basemaps, cutLand } from "./cut-land.ts";

/** `node tools/basemap/write-land.ts`: cuts the basemap of the dashboard anew from the atlas that is installed. */
for (const basemap of basemaps) {
  const text = cutLand(basemap);
  writeFileSync(join(root, "apps/dashboard/src/ui/world", basemap.file), text);
  console.log(`${basemap.file}: ${text.length} bytes`);
}

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pages } from "./docs/pages.ts";
import { root } from "./repository.ts";

/** `node tools/write-docs.ts`: writes the pages that are made from tables. A test fails while one of them is old. */
for (const [path, make] of Object.entries(pages)) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), make());
  console.log(`wrote ${path}`);
}

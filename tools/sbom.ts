import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { parseArgs } from "node:util";
import { type LockFile, makeSbom, sbomFileName, sbomText } from "./build/sbom.ts";

/**
 * `npm run sbom [-- --out FILE]`: writes what the product is built from, package by package, to `dist/sbom.cdx.json`.
 * `npm run build` does it too.
 */
const root = resolve(import.meta.dirname, "..");
const read = (name: string) => JSON.parse(readFileSync(join(root, name), "utf8")) as unknown;
const { version } = read("package.json") as { version: string };
const sbom = makeSbom(read("package-lock.json") as LockFile, version);
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist", sbomFileName) } } });
mkdirSync(dirname(values.out), { recursive: true });
writeFileSync(values.out, sbomText(sbom));
const count = (place: string) => sbom.components.filter(({ properties }) => properties[0]?.value === place).length;
console.log(
  `${relative(process.cwd(), values.out)}  ${sbom.components.length} packages: ${count("server")} in the server, ${count("page")} for the page, ` +
    `${count("build")} to build and test`,
);

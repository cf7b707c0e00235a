import { hash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fault } from "@gatehouse/contract";
import { mapFileName, type SiteEntry, type SiteMapFile, siteMapFile } from "./map-format.ts";

export interface SiteFile {
  readonly body: Buffer;
  readonly brotli?: Buffer;
  readonly gzip?: Buffer;
  readonly type: string;
  /** Weak, because the compressed forms share it. */
  readonly etag: string;
}

export interface SiteMap {
  /** The page for every route that is neither `/api/` nor a file (contract 4). */
  readonly shell: SiteFile;
  readonly themeInit: SiteFile;
  /** By the name that follows `/assets/`. */
  readonly assets: ReadonlyMap<string, SiteFile>;
}

const builtSite = join(import.meta.dirname, "../../../../../dist/site");

/** Reads what `npm run build` made, or refuses the start and says so. */
export function loadSiteMap(directory = builtSite): SiteMap {
  const map = readMap(directory);
  return {
    shell: readEntry(directory, map.shell),
    themeInit: readEntry(directory, map.themeInit),
    assets: new Map(Object.entries(map.assets).map(([name, entry]) => [name, readEntry(directory, entry)])),
  };
}

function readMap(directory: string): SiteMapFile {
  const text = readBuilt(directory, mapFileName).toString("utf8");
  try {
    return siteMapFile.parse(JSON.parse(text));
  } catch (cause) {
    throw fault("site.not_built", `${mapFileName} is not the map of this version`, { cause });
  }
}

function readEntry(directory: string, entry: SiteEntry): SiteFile {
  const body = readBuilt(directory, entry.file);
  if (hash("sha256", body, "hex") !== entry.sha256) {
    throw fault("site.not_built", `${entry.file} was changed after the build`);
  }
  const etag = `W/"${entry.sha256.slice(0, 32)}"`;
  if (!entry.compressed) return { body, type: entry.type, etag };
  const brotli = readBuilt(directory, `${entry.file}.br`);
  const gzip = readBuilt(directory, `${entry.file}.gz`);
  return { body, brotli, gzip, type: entry.type, etag };
}

function readBuilt(directory: string, name: string): Buffer {
  try {
    return readFileSync(join(directory, name));
  } catch (cause) {
    throw fault("site.not_built", `the built page is missing (${name})`, { cause });
  }
}

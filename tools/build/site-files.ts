import { hash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { extname, join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import {
  assetName,
  mapFileName,
  type SiteEntry,
  type SiteMapFile,
} from "../../apps/server/src/platform/site-map/index.ts";

export interface BuiltSite {
  /** Everything that belongs into `dist/site`, the map included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly map: SiteMapFile;
}

/** In this order, so that a file is hashed after the files it names. */
const kinds: readonly { readonly end: string; readonly type: string; readonly text: boolean }[] = [
  { end: ".woff2", type: "font/woff2", text: false },
  { end: ".txt", type: "text/plain; charset=utf-8", text: true },
  { end: ".svg", type: "image/svg+xml", text: true },
  { end: ".css", type: "text/css; charset=utf-8", text: true },
  { end: ".js", type: "text/javascript; charset=utf-8", text: true },
  { end: ".html", type: "text/html; charset=utf-8", text: true },
];

/**
 * Makes the site from its sources: assets get the hash of their bytes into their names, and every `/assets/name` in a
 * text becomes the hashed one. A name that no file has stops the build.
 */
export function makeSite(source: string): BuiltSite {
  const files = new Map<string, Uint8Array>();
  const hashedNames = new Map<string, string>();
  const assets: Record<string, SiteEntry> = {};

  const add = (name: string, body: Buffer): SiteEntry => {
    const entry = { file: name, type: kindOf(name).type, sha256: hash("sha256", body, "hex") };
    files.set(name, body);
    const brotli = kindOf(name).text ? compressBrotli(body) : body;
    const compressed = brotli.length < body.length;
    if (compressed) files.set(`${name}.br`, brotli);
    if (compressed) files.set(`${name}.gz`, gzipSync(body, { level: 9 }));
    return { ...entry, compressed };
  };
  const read = (file: string): Buffer => {
    const bytes = readFileSync(join(source, file));
    return kindOf(file).text ? Buffer.from(nameHashed(bytes.toString("utf8"), file, hashedNames)) : bytes;
  };

  for (const file of findAssets(source)) {
    const body = read(file);
    const end = extname(file);
    const name = `${file.slice(file.indexOf("/") + 1, -end.length)}.${hash("sha256", body, "hex").slice(0, 12)}${end}`;
    if (!assetName.test(name)) throw new Error(`${file}: expected a lower-case name without spaces`);
    hashedNames.set(file.slice(file.indexOf("/") + 1), name);
    assets[name] = add(name, body);
  }
  const map = {
    shell: add("index.html", read("index.html")),
    themeInit: add("theme-init.js", read("theme-init.js")),
    assets,
  };
  files.set(mapFileName, Buffer.from(`${JSON.stringify(map, null, 2)}\n`));
  return { files, map };
}

/** Files below `assets/` and `fonts/`, those without references first. */
function findAssets(source: string): string[] {
  const found = ["assets", "fonts"].flatMap((folder) =>
    readdirSync(join(source, folder))
      .sort()
      .map((name) => `${folder}/${name}`),
  );
  return found.sort((a, b) => kinds.indexOf(kindOf(a)) - kinds.indexOf(kindOf(b)));
}

function kindOf(file: string): (typeof kinds)[number] {
  const kind = kinds.find(({ end }) => file.endsWith(end));
  if (kind === undefined)
    throw new Error(`${file}: expected a file that ends in ${kinds.map(({ end }) => end).join(", ")}`);
  return kind;
}

function nameHashed(text: string, file: string, hashedNames: ReadonlyMap<string, string>): string {
  return text.replaceAll(/\/assets\/([a-z0-9._-]+)/g, (_match, name: string) => {
    const hashed = hashedNames.get(name);
    if (hashed === undefined) throw new Error(`${file}: names /assets/${name}, which is not there or comes later`);
    return `/assets/${hashed}`;
  });
}

function compressBrotli(body: Buffer): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}

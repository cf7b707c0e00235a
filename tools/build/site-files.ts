import { hash } from "node:crypto";
import { extname } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import {
  assetName,
  mapFileName,
  type SiteEntry,
  type SiteMapFile,
} from "../../apps/server/src/platform/site-map/index.ts";
import { findGroups } from "./reference-groups.ts";

/** `index.html`, `theme-init.js` and files below `assets/`, under names without a hash. */
export type SiteSources = ReadonlyMap<string, Buffer>;

export interface BuiltSite {
  /** Everything that belongs into `dist/site`, the map included. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly map: SiteMapFile;
  /** Hashed name of each asset, by its name without a hash. */
  readonly hashedNames: ReadonlyMap<string, string>;
}

const kinds: readonly { readonly end: string; readonly type: string; readonly text: boolean }[] = [
  { end: ".woff2", type: "font/woff2", text: false },
  { end: ".txt", type: "text/plain; charset=utf-8", text: true },
  { end: ".svg", type: "image/svg+xml", text: true },
  { end: ".css", type: "text/css; charset=utf-8", text: true },
  { end: ".js", type: "text/javascript; charset=utf-8", text: true },
  { end: ".json", type: "application/json", text: true },
  { end: ".html", type: "text/html; charset=utf-8", text: true },
];

/** How a text names an asset: from the root, as Vite's list of what to load, or beside itself. */
const reference = /(["'`(])(\/?assets\/|\.\/)([a-z0-9._-]+)(?=["'`)])/g;

/**
 * Makes the site: assets get the hash of their bytes into their names, and every reference becomes the hashed one. Files
 * that name each other in a circle share the hash of them all, since none of them can be finished first.
 */
export function makeSite(sources: SiteSources): BuiltSite {
  const files = new Map<string, Uint8Array>();
  const hashedNames = new Map<string, string>();
  const assets: Record<string, SiteEntry> = {};
  const folder = "assets/";
  const names = [...sources.keys()].filter((name) => name.startsWith(folder)).map((name) => name.slice(folder.length));
  const known = new Set(names);
  const sourceOf = (file: string): Buffer => {
    const body = sources.get(file);
    if (body === undefined) throw new Error(`${file} is missing`);
    return body;
  };
  const finished = (file: string): Buffer =>
    kindOf(file).text ? Buffer.from(nameHashed(sourceOf(file).toString("utf8"), hashedNames)) : sourceOf(file);

  const add = (name: string, body: Buffer): SiteEntry => {
    const { type, text } = kindOf(name);
    files.set(name, body);
    const brotli = text ? compressBrotli(body) : body;
    const compressed = brotli.length < body.length;
    if (compressed) files.set(`${name}.br`, brotli);
    if (compressed) files.set(`${name}.gz`, gzipSync(body, { level: 9 }));
    return { file: name, type, sha256: hash("sha256", body, "hex"), compressed };
  };

  const namedBy = (name: string): string[] => referencesOf(`${folder}${name}`, sourceOf(`${folder}${name}`), known);
  for (const group of findGroups(names.sort(), namedBy)) {
    const digest = hash("sha256", Buffer.concat(group.map((name) => finished(`${folder}${name}`))), "hex").slice(0, 12);
    for (const name of group) hashedNames.set(name, withHash(name, digest));
    for (const name of group) {
      const hashed = hashedNames.get(name) ?? name;
      assets[hashed] = add(hashed, finished(`${folder}${name}`));
    }
  }
  const map = {
    shell: add("index.html", finished("index.html")),
    themeInit: add("theme-init.js", finished("theme-init.js")),
    assets,
  };
  for (const file of ["index.html", "theme-init.js"]) referencesOf(file, sourceOf(file), known);
  files.set(mapFileName, Buffer.from(`${JSON.stringify(map, null, 2)}\n`));
  return { files, map, hashedNames };
}

/** A name below `/assets/` that no file has stops the build. */
function referencesOf(file: string, body: Buffer, known: ReadonlySet<string>): string[] {
  if (!kindOf(file).text) return [];
  const found = new Set<string>();
  for (const [, , prefix = "", name = ""] of body.toString("utf8").matchAll(reference)) {
    if (known.has(name)) found.add(name);
    else if (prefix === "/assets/") throw new Error(`${file}: names /assets/${name}, which is not there`);
  }
  return [...found].sort();
}

function nameHashed(text: string, hashedNames: ReadonlyMap<string, string>): string {
  return text.replaceAll(reference, (match, open: string, prefix: string, name: string) => {
    const hashed = hashedNames.get(name);
    // Between two files of one circle the names stay plain until the circle has its hash.
    if (hashed === undefined) return match;
    return `${open}${prefix}${hashed}`;
  });
}

function withHash(name: string, digest: string): string {
  const end = extname(name);
  const hashed = `${name.slice(0, -end.length)}.${digest}${end}`;
  if (!assetName.test(hashed)) throw new Error(`${name}: expected a lower-case name without spaces`);
  return hashed;
}

function kindOf(file: string): (typeof kinds)[number] {
  const kind = kinds.find(({ end }) => file.endsWith(end));
  if (kind === undefined)
    throw new Error(`${file}: expected a file that ends in ${kinds.map(({ end }) => end).join(", ")}`);
  return kind;
}

function compressBrotli(body: Buffer): Buffer {
  return brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
}

import type { BuiltSite } from "./site-files.ts";

/** What a browser loads, in bytes as gzip sends them. */
export interface Weight {
  readonly script: number;
  readonly style: number;
}

/** The most that may be loaded before a page is of use. Late parts (palette, dialogs, other pages) are not in it. */
export const budgets = {
  signIn: { script: 130_000, style: 30_000 },
  firstLoad: { script: 200_000, style: 30_000 },
} as const satisfies Record<string, Weight>;

/** The shell's own files, the named chunks, and all that these import before they can run. */
export function weigh(site: BuiltSite, chunks: readonly string[]): Weight {
  const page = textOf(site, "index.html");
  const first = [...page.matchAll(/(?:src|href)="\/assets\/([^"]+\.(?:js|css))"/g)].map(([, name = ""]) => name);
  const asked = chunks.map((chunk) => {
    const name = site.hashedNames.get(chunk);
    if (name === undefined) throw new Error(`no chunk is called ${chunk}`);
    return name;
  });
  const loaded = new Set<string>();
  const load = (name: string): void => {
    if (loaded.has(name)) return;
    loaded.add(name);
    for (const [, next = ""] of textOf(site, name).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+)["'`]/g)) load(next);
  };
  for (const name of [...first, ...asked]) load(name);
  // The styles of a chunk bear its name or that of a chunk it imports.
  const stems = new Set([...loaded].map(stemOf));
  for (const name of Object.keys(site.map.assets))
    if (name.endsWith(".css") && stems.has(stemOf(name))) loaded.add(name);
  const sum = (end: string) =>
    [...loaded].filter((name) => name.endsWith(end)).reduce((total, name) => total + sizeOf(site, name), 0);
  return { script: sum(".js") + sizeOf(site, "theme-init.js"), style: sum(".css") };
}

function stemOf(name: string): string {
  return name.replace(/\.[0-9a-f]{12}\.\w+$/, "");
}

function textOf(site: BuiltSite, name: string): string {
  return Buffer.from(site.files.get(name) ?? "").toString("utf8");
}

function sizeOf(site: BuiltSite, name: string): number {
  return (site.files.get(`${name}.gz`) ?? site.files.get(name))?.length ?? 0;
}

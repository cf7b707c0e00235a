import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSiteMap } from "../../apps/server/src/platform/site-map/index.ts";
import { root } from "../repository.ts";
import { makeSite } from "./site-files.ts";

const realSource = join(root, "apps/server/site");
let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-build-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function source(files: Readonly<Record<string, string>>): string {
  for (const [name, text] of Object.entries({ "assets/a.svg": "<svg/>", "fonts/f.woff2": "font", ...files })) {
    mkdirSync(dirname(join(directory, name)), { recursive: true });
    writeFileSync(join(directory, name), text);
  }
  return directory;
}
const text = (site: ReturnType<typeof makeSite>, name: string) => Buffer.from(site.files.get(name) ?? "").toString();

test("a name changes with the bytes of its file, and with the bytes of what that file names", () => {
  const page = { "index.html": "/assets/a.css", "theme-init.js": "", "assets/a.css": "url(/assets/f.woff2)" };
  const names = (site: ReturnType<typeof makeSite>) => Object.keys(site.map.assets);
  const before = names(makeSite(source(page)));
  expect(before).toEqual(names(makeSite(directory)));
  const after = names(makeSite(source({ "fonts/f.woff2": "other font" })));
  const changed = after.filter((name) => !before.includes(name));
  expect(changed.map((name) => name.replace(/\.[0-9a-f]{12}\./, "."))).toEqual(["f.woff2", "a.css"]);
});

test("every reference leads to the hashed name", () => {
  const site = makeSite(source({ "index.html": '<img src="/assets/a.svg">', "theme-init.js": "1" }));
  const [svg] = Object.keys(site.map.assets).filter((name) => name.endsWith(".svg"));
  expect(text(site, "index.html")).toBe(`<img src="/assets/${svg}">`);
});

test("a reference to a file that is not there stops the build, as does a file of an unknown kind", () => {
  expect(() => makeSite(source({ "index.html": "/assets/gone.css", "theme-init.js": "" }))).toThrow("/assets/gone.css");
  expect(() => makeSite(source({ "index.html": "", "assets/photo.bmp": "" }))).toThrow("photo.bmp");
});

test("compressed copies hold the same bytes, and exist only where they are smaller", () => {
  const site = makeSite(realSource);
  const entries = [site.map.shell, site.map.themeInit, ...Object.values(site.map.assets)];
  expect(entries.filter((entry) => entry.compressed).length).toBeGreaterThan(3);
  for (const { file, compressed } of entries) {
    const body = Buffer.from(site.files.get(file) ?? "");
    expect(site.files.has(`${file}.br`)).toBe(compressed);
    if (!compressed) continue;
    expect(brotliDecompressSync(site.files.get(`${file}.br`) ?? "").equals(body)).toBe(true);
    expect(gunzipSync(site.files.get(`${file}.gz`) ?? "").equals(body)).toBe(true);
  }
});

test("the server loads what the build makes", () => {
  const site = makeSite(realSource);
  for (const [name, bytes] of site.files) writeFileSync(join(directory, name), bytes);
  const loaded = loadSiteMap(directory);
  expect(loaded.shell.type).toBe("text/html; charset=utf-8");
  expect([...loaded.assets.keys()].sort()).toEqual(Object.keys(site.map.assets).sort());
});

test("contract 4.1: the page holds no inline script, no inline style, and nothing from elsewhere", () => {
  const site = makeSite(realSource);
  const page = text(site, "index.html");
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
  for (const name of site.files.keys()) {
    if (!/\.(html|css|js|svg)$/.test(name)) continue;
    expect(text(site, name)).not.toMatch(/\beval\b|new Function|(src|href)="?https?:|url\("?https?:|import "http/);
    if (name.endsWith(".svg")) expect(text(site, name)).not.toMatch(/<style|\sstyle=|<script/);
  }
});

test("every file that the page asks for is in the map", () => {
  const site = makeSite(realSource);
  const asked = [...text(site, "index.html").matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? "");
  const assets = asked.filter((path) => path.startsWith("/assets/"));
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) expect(site.map.assets).toHaveProperty([path.slice("/assets/".length)]);
  expect(asked).toContain("/theme-init.js");
});

test("the whole page stays small", () => {
  const sizes = [...makeSite(realSource).files].filter(([name]) => !/\.(br|gz|txt|json)$/.test(name));
  expect(sizes.reduce((sum, [, bytes]) => sum + bytes.length, 0)).toBeLessThan(160_000);
});

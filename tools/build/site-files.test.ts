import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { loadSiteMap } from "../../apps/server/src/platform/site-map/index.ts";
import { root } from "../repository.ts";
import { builtOnce } from "./built-once.ts";
import { bundleDashboard } from "./bundle-dashboard.ts";
import { type BuiltSite, makeSite, type SiteSources } from "./site-files.ts";

let real: ReturnType<typeof makeSite>;
beforeAll(async () => {
  real = await builtOnce();
});

const sources = (files: Readonly<Record<string, string>>): SiteSources =>
  new Map(
    Object.entries({ "index.html": "", "theme-init.js": "", ...files }).map(([name, text]) => [
      name,
      Buffer.from(text),
    ]),
  );
const text = (site: BuiltSite, name: string) => Buffer.from(site.files.get(name) ?? "").toString();
const names = (site: BuiltSite) => Object.keys(site.map.assets);
const plain = (name: string) => name.replace(/\.[0-9a-f]{12}\./, ".");

test("a name changes with the bytes of its file, and with the bytes of what that file names", () => {
  const page = {
    "index.html": '"/assets/a.css"',
    "assets/a.css": 'url("/assets/f.woff2")',
    "assets/f.woff2": "font",
    "assets/b.svg": "<svg/>",
  };
  const before = names(makeSite(sources(page)));
  expect(before).toEqual(names(makeSite(sources(page))));
  const after = names(makeSite(sources({ ...page, "assets/f.woff2": "other font" })));
  expect(after.filter((name) => !before.includes(name)).map(plain)).toEqual(["f.woff2", "a.css"]);
});

test("files that name each other in a circle change their names together", () => {
  const page = {
    "assets/entry.js": 'import("./late.js");const css=["assets/late.css"]',
    "assets/late.js": 'import"./entry.js"',
    "assets/late.css": "a{}",
    "assets/alone.js": "1",
  };
  const site = makeSite(sources(page));
  const named = (name: string) => site.hashedNames.get(name) ?? "";
  expect(text(site, named("entry.js"))).toBe(
    `import("./${named("late.js")}");const css=["assets/${named("late.css")}"]`,
  );
  expect(text(site, named("late.js"))).toBe(`import"./${named("entry.js")}"`);
  const changed = names(makeSite(sources({ ...page, "assets/late.js": 'import"./entry.js";2' })));
  expect(
    changed
      .filter((name) => !names(site).includes(name))
      .map(plain)
      .sort(),
  ).toEqual(["entry.js", "late.js"]);
});

test("every reference leads to the hashed name", () => {
  const site = makeSite(sources({ "index.html": '<img src="/assets/a.svg">', "assets/a.svg": "<svg/>" }));
  expect(text(site, "index.html")).toBe(`<img src="/assets/${site.hashedNames.get("a.svg")}">`);
  for (const name of names(real)) {
    for (const [, found = ""] of text(real, name).matchAll(
      /["'`(](?:\/?assets\/|\.\/)([a-z0-9._-]+\.(?:js|css|woff2|svg))["'`)]/g,
    )) {
      expect(real.map.assets, `${name} names ${found}`).toHaveProperty([found]);
    }
  }
});

test("a reference to a file that is not there stops the build, as does a file of an unknown kind", () => {
  expect(() => makeSite(sources({ "index.html": '"/assets/gone.css"' }))).toThrow("/assets/gone.css");
  expect(() => makeSite(sources({ "assets/photo.bmp": "" }))).toThrow("photo.bmp");
});

test("compressed copies hold the same bytes, and exist only where they are smaller", () => {
  const site = real;
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
  const site = real;
  const directory = mkdtempSync(join(tmpdir(), "gatehouse-build-"));
  for (const [name, bytes] of site.files) writeFileSync(join(directory, name), bytes);
  const loaded = loadSiteMap(directory);
  rmSync(directory, { recursive: true });
  expect(loaded.shell.type).toBe("text/html; charset=utf-8");
  expect([...loaded.assets.keys()].sort()).toEqual(Object.keys(site.map.assets).sort());
});

test("contract 4.1: the page holds no inline script, no inline style, and nothing from elsewhere", () => {
  const site = real;
  const page = text(site, "index.html");
  expect(page).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son[a-z]+=|javascript:/i);
  for (const name of site.files.keys()) {
    if (!/\.(html|css|js|svg)$/.test(name)) continue;
    expect(text(site, name)).not.toMatch(/\beval\b|new Function|(src|href)="?https?:|url\("?https?:|import "http/);
    if (name.endsWith(".svg")) expect(text(site, name)).not.toMatch(/<style|\sstyle=|<script/);
  }
});

test("every file that the page asks for is in the map", () => {
  const site = real;
  const asked = [...text(site, "index.html").matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] ?? "");
  const assets = asked.filter((path) => path.startsWith("/assets/"));
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) expect(site.map.assets).toHaveProperty([path.slice("/assets/".length)]);
  expect(asked).toContain("/theme-init.js");
});

test("a build can be repeated: the same sources give the same bytes", async () => {
  const again = makeSite(await bundleDashboard());
  expect(again.map).toEqual(real.map);
});

test("the page says something without JavaScript, and nothing of this machine", () => {
  const page = text(real, "index.html");
  expect(page).toMatch(/<html lang="en">/);
  expect(page).toMatch(/<title>Gatehouse<\/title>/);
  expect(page).toMatch(/<meta name="viewport" content="width=device-width, initial-scale=1">/);
  expect(page).toMatch(/<noscript>[\s\S]+\/api\/health[\s\S]+<\/noscript>/);
  for (const name of real.files.keys()) expect(text(real, name)).not.toContain(root);
});

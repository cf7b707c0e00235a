import { hash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFault } from "@gatehouse/contract";
import { afterEach, beforeEach, expect, test } from "vitest";
import { loadSiteMap } from "./load-site-map.ts";
import type { SiteEntry, SiteMapFile } from "./map-format.ts";

let directory = "";
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "gatehouse-site-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

function put(name: string, body: string, compressed = false): SiteEntry {
  writeFileSync(join(directory, name), body);
  if (compressed) writeFileSync(join(directory, `${name}.br`), "br");
  if (compressed) writeFileSync(join(directory, `${name}.gz`), "gz");
  return { file: name, type: "text/plain; charset=utf-8", sha256: hash("sha256", body, "hex"), compressed };
}

function putMap(change: (map: SiteMapFile) => unknown = (map) => map): void {
  const map = {
    shell: put("index.html", "shell", true),
    themeInit: put("theme-init.js", "theme"),
    assets: { "shell.0123.css": put("shell.0123.css", "css") },
  };
  writeFileSync(join(directory, "map.json"), JSON.stringify(change(map)));
}

function refusal(): string {
  try {
    loadSiteMap(directory);
    return "loaded";
  } catch (error) {
    if (isFault(error, "site.not_built")) return `${error.detail}: ${error.todo}`;
    throw error;
  }
}

test("files are held in memory under the names of the map", () => {
  putMap();
  const site = loadSiteMap(directory);
  expect(site.shell).toMatchObject({ type: "text/plain; charset=utf-8", brotli: Buffer.from("br") });
  expect(site.shell.gzip?.toString()).toBe("gz");
  expect(site.themeInit.body.toString()).toBe("theme");
  expect(site.themeInit.brotli).toBeUndefined();
  expect([...site.assets.keys()]).toEqual(["shell.0123.css"]);
});

test("an ETag is weak, because compressed forms share it, and changes with the bytes", () => {
  putMap();
  const { shell, themeInit } = loadSiteMap(directory);
  expect(shell.etag).toMatch(/^W\/"[0-9a-f]{32}"$/);
  expect(shell.etag).not.toBe(themeInit.etag);
});

test("without a build the start is refused with the command to run", () => {
  expect(refusal()).toContain("npm run build");
  putMap();
  rmSync(join(directory, "shell.0123.css"));
  expect(refusal()).toContain("shell.0123.css");
});

test("a file that was changed after the build is refused", () => {
  putMap();
  writeFileSync(join(directory, "theme-init.js"), "other");
  expect(refusal()).toMatch(/theme-init\.js was changed after the build/);
});

test.each(["../main.ts", "/etc/passwd", ".env", "a/b", "a\\b", "", "A.css"])(
  "a map that names the file %j is refused",
  (file) => {
    putMap((map) => ({ ...map, shell: { ...map.shell, file } }));
    expect(refusal()).toContain("not the map of this version");
    putMap((map) => ({ ...map, assets: { [file]: map.shell } }));
    expect(refusal()).toContain("not the map of this version");
  },
);

test("a map that is no JSON, or not ours, is refused", () => {
  writeFileSync(join(directory, "map.json"), "{");
  expect(refusal()).toContain("not the map of this version");
  putMap(({ shell }) => ({ shell }));
  expect(refusal()).toContain("not the map of this version");
});

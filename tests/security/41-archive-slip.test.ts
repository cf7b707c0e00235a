import { gzipSync } from "node:zlib";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeBundle, placeBundle } from "../bundles/sample.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { findInSources, productSources, unpacksItsOwn } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/** Nobody else makes a file of that name. */
const evil = `evil-${process.pid}-${Date.now()}.txt`;

/** Portainer, Argo Workflows, File Browser: a name inside an archive led out of the folder. We open no archive at all. */
const evilNames = [`../${evil}`, `..\\${evil}`, `/tmp/${evil}`, `a/../../${evil}`, `C:\\${evil}`, `\u2025/${evil}`];

const place = await makePluginPlace();
for (const [at, name] of evilNames.entries()) {
  // As an artifact it is signed bytes like any other: accepted, and never looked into.
  await placeBundle(place.directory, makeBundle({ id: `acme-zip-${at}` }, undefined, zipOf(name)));
  await placeBundle(place.directory, makeBundle({ id: `acme-tar-${at}` }, undefined, tarOf(name)));
  await placeBundle(place.directory, makeBundle({ id: `acme-tgz-${at}` }, undefined, gzipSync(tarOf(name))));
}
// As an entry of the plugin directory it is none.
await writeFile(join(place.directory, "acme-plugin.zip"), zipOf("acme-plugin/manifest.json"));
await writeFile(join(place.directory, "acme-packed"), tarOf(`../${evil}`));
await mkdir(join(place.directory, "acme-inside"));
await writeFile(join(place.directory, "acme-inside", "bundle.tar.gz"), gzipSync(tarOf("manifest.json")));
const started = await sharedPlugins(place);

test("an archive stays what it is: bytes with a digest, or an entry that is refused", async (context) => {
  const { items } = await started.list();
  expect(items).toHaveLength(3 * evilNames.length);
  expect(await started.codes()).toEqual({
    "acme-plugin.zip": "bundle.name_invalid",
    "acme-packed": "bundle.not_a_directory",
    "acme-inside": "bundle.unexpected_entry",
  });
  for (const { id } of items.slice(0, 6)) {
    expect((await started.move(id, "installed")).status).toBe(200);
    await started.move(id, "active");
  }
  const all = await readdir(place.path, { recursive: true });
  expect(all.filter((name) => name.includes("evil"))).toEqual([]);
  expect(await readdir(place.path)).toEqual(["data", "plugins", "trust.json"]);
  expect((await readdir("/tmp")).filter((name) => name === evil)).toEqual([]);
  tried(context, `${count(items.length, "archives")} as artifacts, 3 as entries; nothing was unpacked`);
});

/** What opens an archive, as a library, a function or a program. */
const unpackers = [
  /from "(?:tar|tar-stream|tar-fs|adm-zip|yauzl|unzipper|jszip|fflate|decompress|extract-zip|node-7z)"/,
  /\b(?:gunzip|unzip|inflate|inflateRaw|brotliDecompress|zstdDecompress)(?:Sync)?\s*\(/,
  /\bcreate(?:Gunzip|Unzip|Inflate|InflateRaw|BrotliDecompress|ZstdDecompress)\b|\bDecompressionStream\b/,
  /["'`](?:tar|unzip|bsdtar|7z|gunzip|cpio|unsquashfs)["'`]/,
];

test("no line of the product opens an archive", (context) => {
  const sources = productSources().filter(({ path }) => /^(apps\/(server|cli|agent)|packages|plugins)\//.test(path));
  expect(sources.length).toBeGreaterThan(100);
  const found = unpackers.flatMap((pattern) => findInSources(sources, pattern));
  expect(found.filter((line) => !line.startsWith(`${unpacksItsOwn}:`))).toEqual([]);
  // A row of the server's own, and no name in it: once, and with a bound.
  expect(found).toEqual([expect.stringContaining("inflateRawSync(body, unpacking)")]);
  for (const text of [
    'import { extract } from "tar";',
    "gunzipSync(bytes)",
    'spawn("unzip", [file])',
    "createUnzip()",
  ]) {
    const planted = [{ path: "x.ts", text }];
    expect(unpackers.flatMap((pattern) => findInSources(planted, pattern)).length, text).toBeGreaterThan(0);
  }
  tried(context, `${count(sources.length, "source files")} without an unpacker`);
});

/** One stored file, by hand: a local header, its bytes, the directory and its end. */
function zipOf(name: string): Buffer {
  const title = Buffer.from(name);
  const body = Buffer.from("evil\n");
  const fixed = (signature: number, size: number) => {
    const header = Buffer.alloc(size);
    header.writeUInt32LE(signature, 0);
    return header;
  };
  const local = fixed(0x04034b50, 30);
  local.writeUInt32LE(body.length, 18);
  local.writeUInt32LE(body.length, 22);
  local.writeUInt16LE(title.length, 26);
  const central = fixed(0x02014b50, 46);
  central.writeUInt32LE(body.length, 20);
  central.writeUInt32LE(body.length, 24);
  central.writeUInt16LE(title.length, 28);
  const end = fixed(0x06054b50, 22);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(46 + title.length, 12);
  end.writeUInt32LE(30 + title.length + body.length, 16);
  return Buffer.concat([local, title, body, central, title, end]);
}

/** One file in the ustar form: a header of 512 bytes, its bytes, and the end. */
function tarOf(name: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write("0000644\0", 100);
  header.write("00000000005\0", 124);
  header.write("        ", 148);
  header.write("0ustar\u000000", 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  const body = Buffer.alloc(512);
  body.write("evil\n");
  return Buffer.concat([header, body, Buffer.alloc(1_024)]);
}

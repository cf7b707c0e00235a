import { readFile } from "node:fs/promises";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { newClient } from "./support/new-client.ts";
import { send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { findInSources, productSources, unpacksItsOwn } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";

/** OpenBao and Rekor: ten kilobytes on the wire, ten gigabytes in memory. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1" } });
const plain = Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(12 * 1024 * 1024, "a"), Buffer.from('"}')]);
const gzip = gzipSync(plain);
const bombs: Readonly<Record<string, Buffer>> = {
  gzip,
  "gzip in gzip": gzipSync(gzip),
  "many members": Buffer.concat(Array.from({ length: 20 }, () => gzipSync(Buffer.alloc(500_000)))),
  deflate: deflateSync(plain),
  "raw deflate": deflateRawSync(plain),
  brotli: brotliCompressSync(plain.subarray(0, 4_000_000)),
};
const encodings = [
  "gzip",
  "x-gzip",
  "deflate",
  "br",
  "zstd",
  "compress",
  "identity",
  "GZIP",
  "gzip, gzip",
  "identity, gzip",
  "aes128gcm",
  "",
  "*",
  "utf-8",
];

test("a compressed body is refused before it is looked at, whatever it is called", async (context) => {
  const before = await rssOf();
  const requests = Object.entries(bombs).flatMap(([name, body]) =>
    encodings.map((encoding) => ({ name, body, encoding })),
  );
  const rounds = counts["86 rounds"];
  for (let round = 0; round < rounds; round += 1) {
    const wrong = await inLanes(requests, 8, async ({ name, body, encoding }) => {
      const headers = [newClient(), ["Content-Type", "application/json"], ["Content-Encoding", encoding]] as const;
      const { status } = await send(server.port, {
        method: "POST",
        path: "/api/csp-reports",
        headers,
        body: body.subarray(0, 16_000),
      });
      return status === 415 ? [] : [`${name} as ${encoding}: ${status}`];
    });
    expect(wrong.flat()).toEqual([]);
  }
  const grown = (await rssOf()) - before;
  expect(grown).toBeLessThan(64 * 1024);
  tried(context, `${count(requests.length * rounds, "bombs")}, memory grew by ${Math.max(0, grown >> 10)} MiB`);
});

test("a body that is compressed and does not say so is not unpacked either", async (context) => {
  const disguises: readonly (readonly (readonly [string, string])[])[] = [
    [["Content-Type", "application/json"]],
    [
      ["Content-Type", "application/json"],
      ["Transfer-Encoding", "gzip, chunked"],
    ],
    [
      ["Content-Type", "application/json"],
      ["Transfer-Encoding", "gzip"],
    ],
    [
      ["Content-Type", "application/json"],
      ["X-Content-Encoding", "gzip"],
    ],
    [
      ["Content-Type", "application/json"],
      ["TE", "gzip"],
    ],
    [["Content-Type", "application/json+gzip"]],
    [["Content-Type", "application/gzip"]],
  ];
  for (const headers of disguises) {
    const isChunked = headers.some(([name]) => name === "Transfer-Encoding");
    const body = isChunked ? chunk(gzip.subarray(0, 12_000)) : gzip.subarray(0, 12_000);
    const { status } = await send(server.port, {
      method: "POST",
      path: "/api/csp-reports",
      headers: [newClient(), ...headers],
      body,
    });
    expect([400, 415], JSON.stringify(headers)).toContain(status);
  }
  tried(context, count(disguises.length, "disguises"));
});

test("no WebSocket offers compression, and no code of the server unpacks what strangers send", async (context) => {
  const upgrade = [
    ["Connection", "Upgrade"],
    ["Upgrade", "websocket"],
    ["Sec-WebSocket-Version", "13"],
    ["Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="],
    ["Sec-WebSocket-Extensions", "permessage-deflate"],
  ] as const;
  for (const path of ["/api/agent/control/stream", "/api/agent/terminal/stream", "/api/terminal/sessions/1/attach"]) {
    const { headers } = await send(server.port, { path, headers: upgrade });
    expect(headers.has("sec-websocket-extensions"), path).toBe(false);
  }
  const sources = productSources().filter(
    ({ path }) => path.startsWith("apps/server/") || path.startsWith("packages/"),
  );
  const found = findInSources(sources, unpacks);
  expect(found.filter((line) => !line.startsWith(`${unpacksItsOwn}:`))).toEqual([]);
  expect(found).toHaveLength(1);
  const own = sources.filter(({ path }) => path === unpacksItsOwn);
  expect(findInSources(own, /const unpacking = \{ maxOutputLength: mostBytes\b/)).toHaveLength(1);
  tried(context, `${count(sources.length, "source files")} unpack nothing of others`);
});

test("the search finds code that unpacks", () => {
  for (const text of [
    "gunzipSync(body)",
    "zlib.createInflate()",
    "perMessageDeflate: true",
    "new DecompressionStream(x)",
    "brotliDecompress(b)",
    "unzip(x)",
  ]) {
    expect(findInSources([{ path: "x.ts", text }], unpacks), text).toHaveLength(1);
  }
  expect(findInSources([{ path: "x.ts", text: "perMessageDeflate: false" }], unpacks)).toEqual([]);
});

const unpacks =
  /\b(?:gunzip|inflate|unzip|createGunzip|createInflate|createUnzip|brotliDecompress|createBrotliDecompress|zstdDecompress|createZstdDecompress)\w*\(|DecompressionStream|perMessageDeflate\s*:(?!\s*false)/i;

function chunk(bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from("\r\n0\r\n\r\n")]);
}

/** KiB of memory that the server holds. */
async function rssOf(): Promise<number> {
  return Number(/^VmRSS:\s+(\d+)/m.exec(await readFile(`/proc/${server.pid}/status`, "utf8"))?.[1]);
}

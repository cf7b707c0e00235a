import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import { inLanes } from "./support/in-lanes.ts";
import { type RawAnswer, send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { assetPaths, fileIn } from "./support/site-answers.ts";
import { count, tried } from "./support/tried.ts";

/** @fastify/static: the router saw `%2F` as a letter, the file server as a slash, and the guard stood at the router. */
const token = "m".repeat(40);
const server = await sharedServer({ env: { SERVICE_METRICS_TOKEN: token } });
const plain = [
  "/api/version",
  "/api/metrics",
  "/api/openapi.json",
  "/api/health",
  "/theme-init.js",
  ...assetPaths.slice(0, 3),
];

/** Every way to write a path so that some decoder reads the plain one. */
const rewrites: readonly ((path: string) => readonly string[])[] = [
  (path) =>
    everywhere(path, "/", ["%2f", "%2F", "%252f", "\\", "%5c", "%255c", "//", "/./", "/%2e/", "/x/../", "/x/%2e%2e/"]),
  (path) =>
    everywhere(path, "/", [
      "%c0%af",
      "%e0%80%af",
      "%f0%80%80%af",
      "\u00c0\u00af",
      "%u2215",
      "\u00ef\u00bc\u008f",
      ";/",
      "/;x=1/",
    ]),
  (path) =>
    everywhere(path, "/", [
      "/%00/",
      "%00/",
      "/%20",
      "%20/",
      "/\u00a0",
      "/..;/x/../",
      "/.;/",
      "%0a/",
      "%0d%0a/",
      "/%ff/",
    ]),
  (path) => encodeLetters(path),
  (path) =>
    [
      "%00",
      "%00.js",
      "%20",
      ".",
      "..",
      "/",
      "//",
      "/.",
      "/..",
      ";",
      ";x=1",
      ":",
      "%0a",
      "%",
      "%2",
      "%zz",
      "~",
      "\u00ff",
      "%EF%BB%BF",
    ].map((end) => path + end),
  (path) => ["//127.0.0.1", "/.", "/x/..", "/%2e", "/%2e%2e", "\\", "/%5c", "/;", "/%00"].map((start) => start + path),
  (path) => [
    path.toUpperCase(),
    path.slice(0, 5).toUpperCase() + path.slice(5),
    path.replace("api", "ApI"),
    path.replace("a", "%61"),
  ],
];

test("a route or file is found under its one plain path and no other", async (context) => {
  const paths = [...new Set(plain.flatMap((path) => rewrites.flatMap((rewrite) => rewrite(path))))].filter(
    (path) => !plain.includes(path),
  );
  const wrong = await inLanes(paths, 8, async (path) => {
    const headers = [["Authorization", `Bearer ${token}`]] as const;
    return isReached(await send(server.port, { path, headers })) ? [path] : [];
  });
  expect(wrong.flat()).toEqual([]);
  tried(context, `${count(paths.length, "spellings")} of ${count(plain.length, "paths")}`);
});

test("the plain paths are reached, so that the comparison is with something", async () => {
  const headers = [["Authorization", `Bearer ${token}`]] as const;
  for (const path of plain) expect(isReached(await send(server.port, { path, headers })), path).toBe(true);
});

test("the same spellings do reach a route on a server that decodes before it looks", async (context) => {
  const careless = createServer((request, response) => {
    const path = decodeURIComponent((request.url ?? "").replaceAll(/%(?![0-7][0-9a-f])/gi, "%25")).replaceAll(
      "\\",
      "/",
    );
    const { pathname } = new URL(path.replaceAll(/\/+/g, "/"), "http://127.0.0.1");
    if (pathname === "/api/version") response.end('{"version":"1"}');
    else response.writeHead(404).end();
  }).listen(0, "127.0.0.1");
  await new Promise((done) => careless.once("listening", done));
  const { port } = careless.address() as AddressInfo;
  const paths = rewrites.flatMap((rewrite) => rewrite("/api/version"));
  const answers = await inLanes(paths, 8, (path) => send(port, { path }));
  careless.close();
  const reached = answers.filter(({ status }) => status === 200).length;
  expect(reached).toBeGreaterThan(20);
  tried(context, `a decoding server was reached ${reached} times`);
});

/** The shell is what every unknown page gets; anything else with success is a route or a file. */
function isReached(answer: RawAnswer): boolean {
  const file = fileIn(answer);
  return file !== "refused" && file !== "shell";
}

/** Replaces each occurrence of its own, and all of them. */
function everywhere(path: string, part: string, others: readonly string[]): string[] {
  const places = path.split("").flatMap((character, at) => (character === part ? [at] : []));
  return others.flatMap((other) => [
    path.replaceAll(part, other),
    ...places.map((at) => path.slice(0, at) + other + path.slice(at + 1)),
  ]);
}

function encodeLetters(path: string): string[] {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16)}`;
  const single = path.split("").map((character, at) => path.slice(0, at) + encode(character) + path.slice(at + 1));
  const double = single.map((one) => one.replace("%", "%25"));
  return [...single, ...double, `/${path.slice(1).split("").map(encode).join("")}`];
}

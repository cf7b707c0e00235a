import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, relative } from "node:path";
import { expect, test } from "vitest";
import { Chance, counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { send } from "./support/raw-http.ts";
import { repository } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { fileIn } from "./support/site-answers.ts";
import { traversals } from "./support/traversals.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Nezha: `/dashboard../data/…` began like the dashboard and ended at the signing key, before any sign-in. */
const server = await sharedServer();
const canary = new Chance("canary").word(32);
await writeFile(join(server.dataDir, "canary.txt"), canary);
const key = (await readFile(join(server.dataDir, "master.key"), "utf8")).trim();

const served = join(repository, "dist/site");
/** From the served folder, from the working directory and from the root. */
const targets = joined(
  ["canary.txt", "master.key", "state.json", "logs.db"].flatMap((name) => [
    relative(served, join(server.dataDir, name)),
    relative(repository, join(server.dataDir, name)),
    join(server.dataDir, name).slice(1),
    `data/${name}`,
  ]),
  ["etc/passwd", "proc/self/environ", "package.json", "apps/server/src/main.ts", ".git/config", "map.json"],
);
const howMany = counts["37 paths"];
const forbidden = [canary, key, "root:x:0:0", '"workspaces"', "await main(", "[core]", "SERVICE_DATA_DIR="];

test("no path leads to a file that the build did not list", async (context) => {
  const paths = traversals(new Chance("traversals"), howMany, targets);
  const seen: Record<string, number> = {};
  const wrong = await inLanes(paths, 8, async (path) => {
    const answer = await send(server.port, { path: path.replaceAll(" ", "%20") });
    const file = fileIn(answer);
    seen[file] = (seen[file] ?? 0) + 1;
    const isLeak = forbidden.some((text) => answer.body.includes(text));
    return isLeak || file === "other" ? [`${path}: ${answer.status} ${file}`] : [];
  });
  expect(wrong.flat()).toEqual([]);
  expect(server.isAlive()).toBe(true);
  const kinds = Object.entries(seen).map(([file, times]) => `${times} ${file}`);
  tried(context, `${count(paths.length, "paths")}: ${kinds.join(", ")}`);
});

test("the same paths do find the canary on a server that joins them to a folder", async (context) => {
  const careless = createServer((request, response) => {
    const path = decodeURIComponent(escape(request.url ?? "")).split("?")[0] ?? "";
    readFile(join(served, path.replace(/^\/(assets|site)/, ""))).then(
      (bytes) => response.end(bytes),
      () => response.writeHead(404).end(),
    );
  }).listen(0, "127.0.0.1");
  await new Promise((done) => careless.once("listening", done));
  const { port } = careless.address() as AddressInfo;
  const paths = traversals(new Chance("traversals"), howMany, targets);
  const answers = await inLanes(paths, 8, (path) => send(port, { path: path.replaceAll(" ", "%20") }));
  careless.close();
  const found = answers.filter(({ body }) => body.includes(canary) || body.includes(key)).length;
  expect(found).toBeGreaterThan(3);
  tried(context, `a careless server gave the canary ${found} times`);
});

/** So that a broken escape does not end the careless server. */
function escape(text: string): string {
  return text.replaceAll(/%(?![0-7][0-9a-f])/gi, "%25");
}

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load, serve, type Served } from "./http-load.ts";
import { serveNginx } from "./http-nginx.ts";
import { benchArguments, concludeBench, interleave } from "./measure.ts";

/** `npm run bench:http [--short]`: the whole edge beside bare node:http and nginx, all in one run. */
const { short } = benchArguments();
const seconds = short ? 1 : 4;
const pairs = 5;
const root = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
const started: Served[] = [];
const keep = async (served: Promise<Served>): Promise<Served> => {
  started.push(await served);
  return served;
};

try {
  const ours = await keep(serve("./http-ours.ts"));
  const bare = await keep(serve("./http-bare.ts"));
  const oursAt = `http://127.0.0.1:${ours.port}`;
  const shell = new Uint8Array(await (await fetch(`${oursAt}/`)).arrayBuffer());
  const nginx = await keep(serveNginx(root, shell));
  console.log(
    `bench:http, node ${process.version}, ${pairs} interleaved pairs of ${seconds} s, 32 connections, one core for the server`,
  );
  for (const url of [`${oursAt}/api/bench/records`, `http://127.0.0.1:${bare.port}/`]) await load(url, 1);

  const list = await interleave(
    pairs,
    () => load(`${oursAt}/api/bench/records`, seconds),
    () => load(`http://127.0.0.1:${bare.port}/`, seconds),
  );
  console.log(
    `  list of 20 records through the edge: ${rate(list.ours)}, bare node:http with the same body: ${rate(list.bare)}`,
  );
  const page = await interleave(
    pairs,
    () => load(`${oursAt}/`, seconds),
    () => load(`http://127.0.0.1:${nginx.port}/`, seconds),
  );
  console.log(`  shell page (${shell.length} bytes): ${rate(page.ours)}, nginx with one worker: ${rate(page.bare)}`);
  concludeBench(
    "bench:http",
    [
      { name: "list of 20 records beside bare node:http", found: list.ratio, goal: 0.6, atLeast: true },
      { name: "shell page beside nginx", found: page.ratio, goal: 0.45, atLeast: true },
    ],
    `a list at ${rate(list.ours)}, ${list.ratio.toFixed(2)} of bare node:http; the shell at ${rate(page.ours)}, ${page.ratio.toFixed(2)} of nginx`,
  );
} finally {
  for (const served of started) served.stop();
  rmSync(root, { recursive: true, force: true });
}

function rate(perSecond: number): string {
  return `${Math.round(perSecond).toLocaleString("en")}/s`;
}

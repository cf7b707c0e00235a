import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildIfOld } from "../../tools/build-if-old.ts";
import { credentials } from "./http-credentials.ts";
import { type Load, load, type Served, serve } from "./http-load.ts";
import { serveNginx } from "./http-nginx.ts";
import { benchArguments, concludeBench, interleave, type Ratio } from "./measure.ts";

/** `npm run bench:http [-- --short]`: the whole server beside bare node:http and nginx, all in one run. */
const { short } = benchArguments();
const seconds = short ? 1 : 4;
const pairs = 5;
/** How long V8 takes until its code for a route no longer changes: before that, two runs of one tree differ by a third. */
const warmSeconds = 4;
const root = mkdtempSync(join(tmpdir(), "gatehouse-bench-"));
const started: Served[] = [];
const postScript = `wrk.method = "POST"
wrk.headers["Content-Type"] = "application/json"
wrk.body = '{"name":"host-17.example.net","note":"a record as the fleet keeps it: labels, addresses, versions and times"}'
`;

try {
  await buildIfOld();
  await main();
} finally {
  for (const served of started) served.stop();
  rmSync(root, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const password = randomBytes(18).toString("base64url");
  const ours = await keep(serve("./http-ours.ts", { BENCH_DIRECTORY: join(root, "data"), BENCH_PASSWORD: password }));
  const bare = await keep(serve("./http-bare.ts"));
  const shell = new Uint8Array(await (await fetch(`${ours}/`)).arrayBuffer());
  const nginx = await keep(serveNginx(root, shell));
  const { cookie, token } = await credentials(ours, password);
  const post = join(root, "post.lua");
  writeFileSync(post, postScript);
  console.log(
    `bench:http, node ${process.version}, ${pairs} interleaved pairs of ${seconds} s, one core for the server, one for wrk`,
  );

  const list = await compare(
    "list of 20 records through the edge",
    { url: `${ours}/api/bench/records` },
    { url: `${bare}/` },
  );
  const own = await compare(
    "the same list, signed in",
    { url: `${ours}/api/bench/own-records`, headers: [`Cookie: ${cookie}`] },
    { url: `${bare}/` },
  );
  const page = await compare(
    `shell page of ${shell.length} bytes, beside nginx with one worker`,
    { url: `${ours}/` },
    { url: `${nginx}/` },
  );
  const change = (connections: number): Promise<Ratio> =>
    compare(
      `durable, audited change with ${connections} connections, beside a bare POST echo`,
      { url: `${ours}/api/bench/changes`, connections, script: post, headers: [`Authorization: Bearer ${token}`] },
      { url: `${bare}/`, connections, script: post },
    );
  const few = await change(32);
  const many = await change(128);
  const figures = [list, own, page, few, many].map(({ ratio }) => ratio.toFixed(2));
  concludeBench(
    "bench:http",
    [
      { name: "list of 20 records beside bare node:http", found: list.ratio, goal: 0.6, atLeast: true },
      { name: "signed-in list beside bare node:http", found: own.ratio, goal: 0.55, atLeast: true },
      { name: "shell page beside nginx", found: page.ratio, goal: 0.45, atLeast: true },
      { name: "durable change, 32 connections", found: few.ratio, goal: 0.45, atLeast: true },
      { name: "durable change, 128 connections", found: many.ratio, goal: 0.6, atLeast: true },
    ],
    `list ${figures[0]}, signed in ${figures[1]}, shell ${figures[2]}, durable change ${figures[3]} and ${figures[4]} of their bare engines`,
  );
}

async function compare(name: string, mine: Omit<Load, "seconds">, theirs: Omit<Load, "seconds">): Promise<Ratio> {
  await load({ ...mine, seconds: warmSeconds });
  await load({ ...theirs, seconds: warmSeconds });
  const found = await interleave(
    pairs,
    () => load({ ...mine, seconds }),
    () => load({ ...theirs, seconds }),
  );
  const rate = (perSecond: number): string => `${Math.round(perSecond).toLocaleString("en")}/s`;
  console.log(`  ${name}: ${rate(found.ours)}, bare ${rate(found.bare)}`);
  return found;
}

async function keep(served: Promise<Served>): Promise<string> {
  const running = await served;
  started.push(running);
  return `http://127.0.0.1:${running.port}`;
}

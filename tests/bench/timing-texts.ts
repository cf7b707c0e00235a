import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { parseStrictJson } from "@gatehouse/base";
import { judgeBundle } from "@gatehouse/bundle/verify";
import { makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { hard } from "../security/support/hard-json.ts";
import { patternsIn } from "../security/support/patterns.ts";
import { type RequestOptions, send } from "../security/support/raw-http.ts";
import { makeScratch } from "../security/support/scratch.ts";
import { startServer } from "../security/support/server.ts";
import { productSources } from "../security/support/sources.ts";
import type { Goal } from "./measure.ts";
import { PatternTimer } from "./pattern-timer.ts";
import { atMost } from "./timing-sign-in.ts";

/** How long the worst texts take, on the real engine and through the real server. */
export async function measureTexts(short: boolean): Promise<Goal[]> {
  return [
    atMost("the slowest pattern of the product on 64 KiB", await slowestPattern(short ? 50 : 2_000), 50, " ms"),
    atMost("the slowest hard text of the strict reader", slowestJson(), 1_000, " ms"),
    atMost("the slowest of the long headers and paths", await slowestHeader(), 50, " ms"),
    atMost("the refusal of a bundle without end", await slowestBundle(), 50, " ms"),
  ];
}

async function slowestPattern(attacks: number): Promise<number> {
  const sources = productSources().filter(({ path }) => /^(apps|packages|plugins)\/.*\.(ts|tsx|js)$/.test(path));
  const patterns = new Map(sources.flatMap(patternsIn).map((found) => [`/${found.source}/${found.flags}`, found]));
  await using timer = new PatternTimer();
  let slowest = 0;
  for (const [text, { source, flags }] of patterns) {
    const { slow, slowestMs } = await timer.time(source, flags, attacks);
    if (slow !== undefined) console.log(`  slow: ${text} with ${JSON.stringify(slow)}`);
    slowest = Math.max(slowest, slowestMs);
  }
  return slowest;
}

function slowestJson(): number {
  const times = Object.values(hard).map((make) => {
    const text = make();
    // Time of the processor, without what the collector does beside it.
    const began = process.threadCpuUsage();
    parseStrictJson(text);
    return process.threadCpuUsage(began).user / 1_000;
  });
  return Math.max(...times);
}

const fillings = ["a", ",", " ", ";", "=", ";q=0", '"', "/", "1.1.1.1,", "::", "127.", "%2e", "&a="];
const names = [
  "Host",
  "Accept-Encoding",
  "Cookie",
  "Authorization",
  "Content-Type",
  "X-Forwarded-For",
  "If-None-Match",
];

async function slowestHeader(): Promise<number> {
  await using server = await startServer({ env: { SERVICE_TRUST_PROXY: "1" } });
  const requests: RequestOptions[] = fillings.flatMap((filling) => {
    const value = filling.repeat(Math.floor(15_000 / filling.length));
    return [
      { path: `/api/${value}` },
      ...names.map((name) => ({ path: "/api/version", headers: [[name, value]] as const })),
    ];
  });
  let slowest = 0;
  for (const request of requests) {
    // The quicker of two: other programs may use the machine as well.
    const [one, two] = [await send(server.port, request), await send(server.port, request)];
    slowest = Math.max(slowest, Math.min(one.ms, two.ms));
  }
  return slowest;
}

async function slowestBundle(): Promise<number> {
  await using scratch = await makeScratch();
  const at = (id: string) => placeBundle(scratch.path, makeBundle({ id }));
  await truncate(join(await at("acme-gigabyte"), "manifest.json"), 2 ** 30);
  await truncate(join(await at("acme-terabyte"), "artifact"), 2 ** 40);
  let slowest = 0;
  const judge = (name: string) => judgeBundle({ directory: scratch.path, name, policy: policyOf(), now: 0 });
  for (const name of ["acme-gigabyte", "acme-terabyte"]) {
    await judge(name);
    const began = performance.now();
    await judge(name);
    slowest = Math.max(slowest, performance.now() - began);
  }
  return slowest;
}

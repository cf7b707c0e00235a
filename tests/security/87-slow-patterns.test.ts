import { expect, test } from "vitest";
import { isShort } from "./support/chance.ts";
import { patternsIn } from "./support/patterns.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { productSources } from "./support/sources.ts";
import { PatternTimer } from "./support/time-pattern.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Gitea: a pattern that reads its text over and over, and a text that makes it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_METRICS_TOKEN: "m".repeat(40) } });
const attacksPerPattern = isShort ? 150 : 2_000;

test("every pattern of the product reads 64 KiB in less than 50 ms, whatever they hold", async (context) => {
  const sources = productSources().filter(({ path }) => /^(apps|packages|plugins)\/.*\.(ts|tsx|js)$/.test(path));
  const found = sources.flatMap(patternsIn);
  // A pattern made at run time could be made by a stranger; these take words from the code that calls them.
  expect(found.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual(["packages/contract/src/list-shape.ts"]);
  const patterns = new Map(found.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  expect(patterns.size).toBeGreaterThan(40);
  await using timer = new PatternTimer();
  const slow: string[] = [];
  let attacks = 0;
  let slowest = 0;
  for (const [text, { path, line, source, flags }] of patterns) {
    const verdict = await timer.time(source, flags, attacksPerPattern);
    attacks += verdict.attacks;
    slowest = Math.max(slowest, verdict.slowestMs);
    if (verdict.slow)
      slow.push(`${path}:${line} ${text}: ${verdict.slow.ms.toFixed(0)} ms for ${JSON.stringify(verdict.slow)}`);
  }
  expect(slow).toEqual([]);
  tried(context, `${count(patterns.size, "patterns")}, ${count(attacks, "texts")}, slowest ${slowest.toFixed(1)} ms`);
});

test("the check finds patterns that are known to be slow, and leaves good ones alone", async (context) => {
  const bad = joined(
    [/^(a+)+$/, /^(a|a)*$/, /(x+x+)+y/, /^([a-z0-9]+[-.]?)+$/, /^(\w+\s?)*$/],
    [/\s+$/, /a.*b.*c$/, /(?:,\s*)+x$/],
  );
  const good = [/^[a-z]+$/, /^(?:[a-z]+\.)*[a-z]+$/, /[\r\n]/g, /^\d{4}-\d\d$/, /^"(?:[^"\\]|\\.)*"$/, /[^\n]*/y];
  await using timer = new PatternTimer();
  for (const { source, flags } of bad) expect((await timer.time(source, flags, 120)).slow, source).toBeDefined();
  for (const { source, flags } of good) expect((await timer.time(source, flags, 120)).slow, source).toBeUndefined();
  tried(context, `${count(bad.length, "slow patterns")} recognised`);
});

const names = joined(
  [
    "Host",
    "Accept-Encoding",
    "Cookie",
    "Authorization",
    "Content-Type",
    "X-Forwarded-For",
    "X-Real-IP",
    "If-None-Match",
  ],
  [
    "Origin",
    "Sec-Fetch-Site",
    "Upgrade",
    "Last-Event-ID",
    "Content-Length",
    "Transfer-Encoding",
    "Connection",
    "Expect",
    "Range",
  ],
);
const fillings = [
  "a",
  ",",
  " ",
  ";",
  "=",
  ", ",
  ";q=0",
  '"',
  "\\",
  "/",
  "W/",
  "1.1.1.1,",
  "::",
  "gatehouse=",
  "a;a=",
  "\u00ff",
  "-",
  "127.",
];

test("a long header is answered at once, the longest with 431", async (context) => {
  let slowest = 0;
  let requests = 0;
  const ask = async (request: RequestOptions, statuses: readonly number[] | undefined) => {
    // The quickest of a few tries: other programs may use the machine as well.
    let ms = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 20 && ms > 50; round += 1) {
      const answer = await send(server.port, request);
      requests += 1;
      ms = Math.min(ms, answer.ms);
      if (statuses) expect(statuses, JSON.stringify(request).slice(0, 80)).toContain(answer.status);
    }
    slowest = Math.max(slowest, ms);
    expect(ms, JSON.stringify(request).slice(0, 120)).toBeLessThan(50);
  };
  for (const name of names) {
    for (const filling of fillings) {
      const value = filling.repeat(Math.floor(15_000 / filling.length));
      await ask({ path: "/api/metrics", headers: [[name, value]], timeoutMs: 2_000 }, undefined);
    }
    await ask({ path: "/", headers: [[name, "a".repeat(65_536)]] }, [431, 400, 0]);
  }
  for (const filling of ["a", "/", "%2e", ".", "a/", "?", "&a=", ";"]) {
    await ask({ path: `/api/${filling.repeat(Math.floor(15_000 / filling.length))}` }, [404]);
    await ask({ path: `/api/events?${filling.repeat(Math.floor(15_000 / filling.length))}` }, undefined);
  }
  expect(server.isAlive()).toBe(true);
  tried(context, `${count(requests, "long headers")}, slowest ${slowest.toFixed(0)} ms`);
});

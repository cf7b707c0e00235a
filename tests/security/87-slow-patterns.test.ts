import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { countPattern } from "./support/pattern-steps.ts";
import { patternsIn } from "./support/patterns.ts";
import { type RequestOptions, send } from "./support/raw-http.ts";
import { sharedServer } from "./support/shared-server.ts";
import { productSources } from "./support/sources.ts";
import { count, tried } from "./support/tried.ts";
import { joined } from "./support/joined.ts";

/** Gitea: a pattern that reads its text over and over, and a text that makes it. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_METRICS_TOKEN: "m".repeat(40) } });

test("every pattern of the product reads a text in a number of steps that grows with it and no faster", (context) => {
  const sources = productSources().filter(({ path }) => /^(apps|packages|plugins)\/.*\.(ts|tsx|js)$/.test(path));
  const found = sources.flatMap(patternsIn);
  // A pattern made at run time could be made by a stranger; these take words from the code that calls them.
  expect(found.filter(({ isOpen }) => isOpen).map(({ path }) => path)).toEqual(["packages/contract/src/id-form.ts"]);
  const patterns = new Map(found.map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]));
  expect(patterns.size).toBeGreaterThan(40);
  const slow: string[] = [];
  let texts = 0;
  let mostSteps = 0;
  for (const [text, { path, line, source, flags }] of patterns) {
    const verdict = countPattern(source, flags, counts["87 texts against a pattern"]);
    texts += verdict.texts;
    mostSteps = Math.max(mostSteps, verdict.mostSteps);
    if (verdict.slow) slow.push(`${path}:${line} ${text}: ${JSON.stringify(verdict.slow)}`);
  }
  expect(slow).toEqual([]);
  tried(
    context,
    `${count(patterns.size, "patterns")}, ${count(texts, "texts")}, at the most ${count(mostSteps, "steps")}`,
  );
});

test("the check finds patterns that are known to be slow, and leaves good ones alone", (context) => {
  const bad = joined(
    [/^(a+)+$/, /^(a|a)*$/, /(x+x+)+y/, /^([a-z0-9]+[-.]?)+$/, /^(\w+\s?)*$/],
    [/\s+$/, /a.*b.*c$/, /(?:,\s*)+x$/],
  );
  const good = [/^[a-z]+$/, /^(?:[a-z]+\.)*[a-z]+$/, /[\r\n]/g, /^\d{4}-\d\d$/, /^"(?:[^"\\]|\\.)*"$/, /[^\n]*/y];
  for (const { source, flags } of bad) expect(countPattern(source, flags, 120).slow, source).toBeDefined();
  for (const { source, flags } of good) expect(countPattern(source, flags, 120).slow, source).toBeUndefined();
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

/** A long Content-Length or Transfer-Encoding announces a body that never comes. */
const patience = { patienceMs: 50 } as const;

test("a long header is answered, the longest with 431, and the server goes on", async (context) => {
  let requests = 0;
  const ask = async (request: RequestOptions, statuses: readonly number[] | undefined) => {
    const { status } = await send(server.port, request);
    requests += 1;
    if (statuses) expect(statuses, JSON.stringify(request).slice(0, 80)).toContain(status);
    expect(status, JSON.stringify(request).slice(0, 120)).toBeLessThan(500);
  };
  for (const name of names) {
    for (const filling of fillings) {
      const value = filling.repeat(Math.floor(15_000 / filling.length));
      await ask({ path: "/api/metrics", headers: [[name, value]], ...patience }, undefined);
    }
    await ask({ path: "/", headers: [[name, "a".repeat(65_536)]] }, [431, 400, 0]);
  }
  for (const filling of ["a", "/", "%2e", ".", "a/", "?", "&a=", ";"]) {
    await ask({ path: `/api/${filling.repeat(Math.floor(15_000 / filling.length))}` }, [404]);
    await ask({ path: `/api/events?${filling.repeat(Math.floor(15_000 / filling.length))}` }, undefined);
  }
  expect((await send(server.port, { path: "/api/health" })).status).toBe(200);
  tried(context, count(requests, "long headers"));
});

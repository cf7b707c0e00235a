import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { startPlanted } from "./inside/planted-server.ts";
import { counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { cookieOf, type Headers } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { admin } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { besiege } from "./support/siege.ts";
import { count, tried } from "./support/tried.ts";

/** Failures were counted per account over all addresses: one request a minute from anywhere kept its owner out for ever. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" } });
const office = "192.0.2.10";

async function attempt(address: string, password: string, more: Headers = [], port = server.port) {
  const raw = await send(port, {
    method: "POST",
    path: "/api/auth/login",
    headers: [["Content-Type", "application/json"], ["X-Forwarded-For", address], ...more],
    body: JSON.stringify({ username: admin.username, password }),
  });
  return { status: raw.status, raw };
}

/** The cookie by which the server knows the browser again. */
async function signInAtOffice(port = server.port): Promise<Headers> {
  const { status, raw } = await attempt(office, admin.password, [], port);
  expect(status).toBe(200);
  const device = raw.headers.get("set-cookie")?.split("\n")[1] ?? cookieOf({ raw });
  return [["Cookie", device.split(";")[0] ?? ""]];
}

/** At which try the right password is let in, two at most: by a known browser elsewhere, at a known place, somewhere new. */
async function ownersGetIn(device: Headers, at: string): Promise<readonly number[]> {
  const owners: readonly (readonly [string, Headers])[] = [
    [`198.51.${at}.1`, device],
    ["192.0.2.200", []],
    [`203.0.${at}.1`, []],
  ];
  return inLanes(owners, 1, async ([address, headers]) => {
    if ((await attempt(address, admin.password, headers)).status === 200) return 1;
    return (await attempt(address, admin.password, headers)).status === 200 ? 2 : Infinity;
  });
}

test("one address that guesses keeps nobody out who knows the password", async (context) => {
  const device = await signInAtOffice();
  // Three are judged at least; on a slow machine a second may pass before the next, and its delay is longer.
  let judged = 0;
  while ((await attempt("100.64.0.9", "a guess")).status === 401) judged += 1;
  expect(judged).toBeGreaterThanOrEqual(3);
  const tries = await ownersGetIn(device, "100");
  expect(tries).toEqual([1, 1, 1]);
  tried(context, "1 address: a known browser, a known place and a new one get in at the first try");
});

test("a hundred addresses, each of a block of its own, keep nobody out either", async (context) => {
  const device = await signInAtOffice();
  const guesses = await inLanes(Array.from({ length: 100 }), 8, (_, at) => attempt(`100.65.${at}.9`, "a guess"));
  expect(guesses.filter(({ status }) => status === 401)).toHaveLength(100);
  const tries = await ownersGetIn(device, "113");
  expect(tries).toEqual([1, 1, 1]);
  tried(context, "100 addresses: the same three get in at the first try");
});

test("whoever shares a block with the guesser waits with them, unless they are known", async (context) => {
  const env = { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" };
  await using still = await startPlanted({ routes: [], authenticate: "real", clock: manualClock(), env });
  const device = await signInAtOffice(still.port);
  for (let at = 0; at < 3; at += 1) await attempt("100.66.0.9", "a guess", [], still.port);
  const slowed = await attempt("100.66.0.10", admin.password, [], still.port);
  expect(slowed.status).toBe(429);
  expect(Number(slowed.raw.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect((await attempt("100.66.0.10", admin.password, device, still.port)).status).toBe(200);
  tried(context, "1 neighbour of the guesser, let in by the browser's cookie");
});

/** The most that is guessed on any day, as SECURITY.md says it. */
const promised = { 1: 1_450, 100: 10_000, 10_000: 110_000 };

test("in simulated days of siege everybody gets in at the first try, and guesses stay few", (context) => {
  const told = Object.entries(promised).map(([blocks, most]) => {
    const { guesses, slowest } = besiege(Number(blocks), counts["93 days of siege"]);
    expect(slowest).toEqual({ "a known browser": 1, "a known place": 1, "somewhere new": 1 });
    expect(Math.max(...guesses)).toBeLessThanOrEqual(most);
    return `${count(Number(blocks), "blocks")} ${guesses.map((one) => one.toLocaleString("en")).join(" and ")}`;
  });
  tried(context, `guesses a day in a siege: ${told.join(", ")}`);
});

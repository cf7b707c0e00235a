import { join } from "node:path";
import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { startPlanted } from "./inside/planted-server.ts";
import { counts } from "./support/chance.ts";
import { inLanes } from "./support/in-lanes.ts";
import { enter, type Headers, newPerson } from "./support/people.ts";
import { send } from "./support/raw-http.ts";
import { makeScratch } from "./support/scratch.ts";
import { admin, startServer } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/** Argo CD, OpenBao: another spelling, another address or a restart gave whoever guesses a fresh start. */
const free = 3;
/** Sign-ins that an address has before it has to wait for more, unless SERVICE_SIGNIN_RATE says otherwise. */
const perMinute = 5;

/** The same account for the server, and in the other list nobody's, although some product folds each of them. */
const sameName = ["admin", "ADMIN", "Admin", "aDmIn", "adMIN", "ADMIn"];
const otherName = [
  " admin",
  "admin ",
  "admin\t",
  "admin\u0000",
  "ａｄｍｉｎ",
  "adm\u0131n",
  "adm\u0130n",
  "\u0430dmin",
  "admin\u200b",
];

async function guess(port: number, username: string, password: string, headers: Headers = []) {
  const { status, body } = await send(port, {
    method: "POST",
    path: "/api/auth/login",
    headers: [["Content-Type", "application/json"], ...headers],
    body: JSON.stringify({ username, password }),
  });
  return { status, code: (JSON.parse(body.toString()) as { code?: string }).code };
}

/** A server whose clock stands still: no delay is ever over, and no bucket fills again, however long the test takes. */
function startStill(env: Readonly<Record<string, string>>) {
  return startPlanted({ routes: [], authenticate: "real", clock: manualClock(), env });
}

test("neither another spelling nor another address of one block gives an account more attempts", async (context) => {
  await using server = await startStill({ SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" });
  const sources = counts["72 sources"];
  const answers = await inLanes(Array.from({ length: sources }), 16, (_, at) => {
    const address = `100.${64 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}`;
    const name = sameName[at % sameName.length] ?? "admin";
    return guess(server.port, name, `not the password ${at}`, [["X-Real-IP", address]]);
  });
  const blocks = Math.ceil(sources / 256);
  const judged = answers.filter(({ code }) => code === "auth.sign_in_refused").length;
  expect(judged).toBe(free * blocks);
  expect(answers.filter(({ code }) => code === "auth.sign_in_throttled")).toHaveLength(sources - judged);
  // Spellings that are not the account's never open it.
  for (const name of otherName) expect((await guess(server.port, name, admin.password)).status, name).toBe(401);
  tried(
    context,
    `${count(sources, "sources")} in ${sameName.length} spellings, ${judged} judged; ${otherName.length} foreign spellings`,
  );
});

test("the right password has to wait like a wrong one, in every spelling", async (context) => {
  await using server = await startStill({ SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" });
  const owner = await enter(server.port);
  const spell = [(name: string) => name, (name: string) => name.toUpperCase(), (name: string) => `V${name.slice(1)}`];
  for (const [at, right] of spell.entries()) {
    const { username, password } = await newPerson(server.port, owner, "viewer", `vera-${at}`);
    await Promise.all(spell.map((change) => guess(server.port, change(username), "not the password")));
    const { status, code } = await guess(server.port, right(username), password);
    expect({ status, code }).toEqual({ status: 429, code: "auth.sign_in_throttled" });
  }
  tried(context, `${spell.length} right passwords after three wrong ones`);
});

test("without a trusted proxy no header makes another address", async (context) => {
  await using server = await startStill({});
  const names = ["X-Forwarded-For", "X-Real-IP", "CF-Connecting-IP", "Forwarded", "True-Client-IP", "X-Client-IP"];
  const attempts = 120;
  const answers = await inLanes(Array.from({ length: attempts }), 8, (_, at) => {
    const header = names[at % names.length] ?? "X-Real-IP";
    return guess(server.port, `nobody-${at}`, "not the password", [[header, `203.0.113.${at}`]]);
  });
  const passed = answers.filter(({ status }) => status !== 429).length;
  expect(passed).toBe(perMinute);
  tried(context, `${count(attempts, "forged addresses")}, ${passed} judged`);
});

test("a restart gives no new free attempts", async (context) => {
  await using scratch = await makeScratch();
  const options = { dataDir: join(scratch.path, "data"), env: { SERVICE_SIGNIN_RATE: "1000" } };
  {
    await using server = await startServer(options);
    for (let at = 0; at < free; at += 1) {
      expect((await guess(server.port, "admin", "not the password")).code).toBe("auth.sign_in_refused");
    }
    expect(await server.stop()).toBe(0);
  }
  await using server = await startServer(options);
  const from = performance.now();
  const answers = await inLanes(Array.from({ length: 12 }), 12, (_, at) =>
    guess(server.port, sameName[at % sameName.length] ?? "admin", "not the password either"),
  );
  // One, if its delay was over by then; a server that had forgotten would judge three. The next delays are 2, 4, 8 … seconds,
  // and one that passed while a slow machine was at it is no fault.
  const passed = Math.floor(Math.log2((performance.now() - from) / 2_000 + 1));
  expect(answers.filter(({ code }) => code === "auth.sign_in_refused").length).toBeLessThanOrEqual(1 + passed);
  tried(context, "12 attempts at once after a restart");
});

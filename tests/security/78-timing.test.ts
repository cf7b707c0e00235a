import { expect, test } from "vitest";
import { openSignInDoor } from "./inside/sign-in-door.ts";
import { Chance, isShort } from "./support/chance.ts";
import { send } from "./support/raw-http.ts";
import { admin } from "./support/server.ts";
import { sharedServer } from "./support/shared-server.ts";
import { signInRequest } from "./support/sign-in.ts";
import { count, tried } from "./support/tried.ts";
import { toldApart, welch } from "./support/welch.ts";

/** 1Panel, OpenBao, Vault: an unknown name was refused sooner than a wrong password, which told the names apart. */
const chance = new Chance("timing");

/** The arms take turns in random order, so that whatever else the machine does falls upon both. */
async function measure(pairs: number, known: () => Promise<number>, unknown: () => Promise<number>): Promise<number> {
  const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
  for (let at = 0; at < pairs; at += 1) {
    const isKnownFirst = chance.below(2) === 0;
    if (isKnownFirst) times.known.push(await known());
    times.unknown.push(await unknown());
    if (!isKnownFirst) times.known.push(await known());
  }
  return welch(times.known, times.unknown);
}

/** A noisy machine can push one measurement over the line; a real difference does so every time. */
async function measureTwice(once: () => Promise<number>): Promise<{ readonly t: number; readonly note: string }> {
  const first = await once();
  if (Math.abs(first) < toldApart) return { t: first, note: "" };
  const t = await once();
  return { t, note: `, measured again after ${first.toFixed(1)}` };
}

test("inside the server a known and an unknown name take the same time", async (context) => {
  const pairs = isShort ? 2_000 : 20_000;
  await using door = await openSignInDoor();
  for (let at = 0; at < 200; at += 1) await door.attempt(at % 2 === 0 ? admin.username : "nobod");
  const { t, note } = await measureTwice(() =>
    measure(
      pairs,
      () => door.attempt(admin.username),
      () => door.attempt("nobod"),
    ),
  );
  expect(Math.abs(t)).toBeLessThan(toldApart);
  tried(context, `${count(pairs, "samples an arm")} inside, t ${t.toFixed(1)}${note}`);
});

test("over HTTP a known and an unknown name take the same time", async (context) => {
  const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" } });
  const pairs = isShort ? 60 : 500;
  const attempt = async (username: string, password: string, expected: number) => {
    const { status, ms } = await send(server.port, signInRequest({ username, password }));
    expect(status).toBe(expected);
    return ms;
  };
  let failures = 0;
  let strangers = 0;
  const known = async () => {
    // Two failures are free; a good sign-in between them keeps the account from having to wait.
    if (failures++ % 2 === 0) await attempt(admin.username, admin.password, 200);
    return attempt(admin.username, "not the password", 401);
  };
  const unknown = () => attempt(`n${String(strangers++).padStart(4, "0")}`, "not the password", 401);
  const { t, note } = await measureTwice(() => measure(pairs, known, unknown));
  expect(Math.abs(t)).toBeLessThan(toldApart);
  tried(context, `${count(pairs, "samples an arm")} over HTTP, t ${t.toFixed(1)}${note}`);
});

test("the measure tells arms apart that differ by a tenth, and not arms that do not", () => {
  const noise = () => 1 + chance.next() * 0.5;
  const arm = (more: number) => Array.from({ length: 500 }, () => noise() + more);
  expect(Math.abs(welch(arm(0), arm(0.1)))).toBeGreaterThan(toldApart);
  expect(Math.abs(welch(arm(0), arm(0)))).toBeLessThan(toldApart);
});

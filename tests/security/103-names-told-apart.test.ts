import { manualClock } from "@gatehouse/base";
import { expect, test } from "vitest";
import { openSignInDoor } from "./inside/sign-in-door.ts";
import { openThrottle } from "./inside/throttle.ts";
import { counts } from "./support/chance.ts";
import { count, tried } from "./support/tried.ts";

/**
 * The brake of a name that nobody has was forgotten after ten thousand invented names, and a user's never was: whoever was
 * still told to wait had found a user. Now both are counted in the same cells, which do not know whose they are.
 */
test("whoever fails has to wait as before, whatever names were invented meanwhile", (context) => {
  const clock = manualClock();
  const throttle = openThrottle({ clock, random: () => 0 });
  const fail = (account: string, block = "a") => {
    const attempt = throttle.enter({ account, block });
    attempt.failed();
    return attempt.wait;
  };
  const names = ["admin", "adm1n"];
  for (const name of names) for (let i = 0; i < 3; i += 1) fail(name);
  const invented = counts["103 invented names"];
  for (let at = 0; at < invented; at += 1) fail(`name-${at}`, `block ${at % 500}`);
  for (const seconds of [1, 2, 4, 8, 16, 32, 60, 60]) {
    const waits = names.map((name) => fail(name));
    expect(Math.min(...waits), "neither is forgotten").toBeGreaterThanOrEqual(seconds);
    expect(waits[0]).toBe(waits[1]);
    clock.advance(Math.max(...waits) * 1_000);
    expect(names.map((name) => fail(name))).toEqual([0, 0]);
  }
  tried(context, `${count(invented, "invented names")}, then 16 waits of 2 names`);
});

test("a user and nobody are answered alike, try for try, by code and by wait", async (context) => {
  await using door = await openSignInDoor();
  const answers = async (username: string) => {
    const told: unknown[] = [];
    for (let at = 0; at < 12; at += 1) told.push(await door.answer(username, "203.0.113.7"));
    return told;
  };
  const known = await answers("admin");
  for (let at = 0; at < 300; at += 1) await door.answer(`name-${at}`, `10.0.${at % 100}.1`);
  expect(await answers("adm1n")).toEqual(known);
  expect(new Set(known.map((one) => JSON.stringify(one))).size).toBe(2);
  tried(context, "12 answers of each");
});

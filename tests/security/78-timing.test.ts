import { expect, test } from "vitest";
import { toldApart, welch } from "../bench/welch.ts";
import { Chance, counts } from "./support/chance.ts";
import { StepCounts } from "./support/count-steps.ts";
import { send } from "./support/raw-http.ts";
import { admin, startServer } from "./support/server.ts";
import { signInRequest } from "./support/sign-in.ts";
import { count, tried } from "./support/tried.ts";

/**
 * 1Panel, OpenBao, Vault: an unknown name was refused sooner than a wrong password, which told the names apart. Here it is
 * counted what is done for each; `npm run bench:timing` measures what that takes.
 */
const rounds = counts["78 attempts"];
const stranger = "nobod";

/** The one call by which the two ways may differ: it leads to the same `verify`. */
const instead = "password.ts verifyNobody";
const hashing = ["password.ts derive", "password.ts verify", "password.ts parsePhc", "far-store.ts get"];

test("inside the server a known and an unknown name are refused by the same calls, and each is hashed once", async (context) => {
  await using steps = new StepCounts();
  const attempt = async (username: string) => {
    const { calls } = await steps.of("refuse a sign-in", username);
    return { hashed: hashing.map((name) => calls[name]), others: { ...calls, [instead]: 0 } };
  };
  for (let round = 0; round < rounds; round += 1) {
    const known = await attempt(admin.username);
    const unknown = await attempt(stranger);
    expect(known.hashed).toEqual([1, 1, 1, 2]);
    expect(unknown).toEqual(known);
  }
  tried(context, `${count(rounds, "attempts of each")}, call for call`);
});

test("the comparison sees a look-up that is left out", async () => {
  await using steps = new StepCounts();
  // What cannot be a name is not looked for, which tells nothing: that it cannot be one is no secret.
  const [known, malformed] = [
    await steps.of("refuse a sign-in", admin.username),
    await steps.of("refuse a sign-in", "a b"),
  ];
  expect(malformed.calls["far-store.ts get"]).toBeLessThan(known.calls["far-store.ts get"] ?? 0);
});

test("over HTTP a known and an unknown name are given the same answer", async (context) => {
  await using server = await startServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" } });
  const attempt = async (username: string) => {
    const { status, headers, body } = await send(
      server.port,
      signInRequest({ username, password: "not the password" }),
    );
    const { requestId, ...problem } = JSON.parse(body.toString()) as Record<string, unknown>;
    expect(headers.get("x-request-id")).toBe(requestId);
    const others = [...headers].filter(([name]) => name !== "x-request-id" && name !== "date");
    return { status, others, problem, length: body.length };
  };
  const known = await attempt(admin.username);
  expect(known.status).toBe(401);
  expect(await attempt(stranger)).toEqual(known);
  tried(context, "2 answers over HTTP");
});

test("the measure of bench:timing tells arms apart that differ by a tenth, and not arms that do not", () => {
  const chance = new Chance("timing");
  const arm = (more: number) => Array.from({ length: 500 }, () => 1 + chance.next() * 0.5 + more);
  expect(Math.abs(welch(arm(0), arm(0.1)))).toBeGreaterThan(toldApart);
  expect(Math.abs(welch(arm(0), arm(0)))).toBeLessThan(toldApart);
});

import { join } from "node:path";
import type { AuditEntryView } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { runCli } from "./support/cli.ts";
import { inLanes } from "./support/in-lanes.ts";
import { send } from "./support/raw-http.ts";
import { makeScratch } from "./support/scratch.ts";
import { startServer } from "./support/server.ts";
import { signIn, signInRequest } from "./support/sign-in.ts";
import { count, tried } from "./support/tried.ts";

/** Records that may name an address, and some that sum up the rest. */
const most = 60 + 18;
const env = { SERVICE_TRUST_PROXY: "1", SERVICE_SIGNIN_RATE: "1000" };

test("a minute of refused sign-ins from everywhere makes few records, and none of them is lost", async (context) => {
  await using scratch = await makeScratch();
  const dataDir = join(scratch.path, "data");
  const strangers = counts["102 strangers"];
  let judged = 0;
  {
    await using server = await startServer({ dataDir, env });
    // Each from an address of its own.
    const answers = await inLanes(Array.from({ length: strangers }), 8, () =>
      send(server.port, signInRequest({ username: "victim", password: "x".repeat(20) })),
    );
    judged = answers.filter(({ status }) => status === 401).length;
    expect(answers.every(({ status }) => status === 401 || status === 429 || status === 503)).toBe(true);
    // What was counted is written at the end of a minute, and at the stop.
    expect(await server.stop()).toBe(0);
  }
  await using server = await startServer({ dataDir, env });
  const session = await signIn(server.port);
  const path = "/api/audit?action=auth.sign_in_refused&limit=200";
  const first = await send(server.port, session.as({ path }));
  const { items, nextCursor } = JSON.parse(first.body.toString()) as {
    items: AuditEntryView[];
    nextCursor: string | null;
  };
  expect(items.length, "records of strangers").toBeLessThanOrEqual(most);
  expect(nextCursor).toBeNull();
  const written = items.reduce((sum, { detail }) => sum + Number(detail["count"]), 0);
  expect(written).toBeGreaterThanOrEqual(judged);
  expect(written).toBeLessThanOrEqual(strangers);
  tried(
    context,
    `${count(strangers, "strangers")} at one name: ${count(items.length, "records")}, ${count(written, "attempts")} counted`,
  );
});

test("there is a way to forget old records, which stays on the record", async (context) => {
  await using server = await startServer({ env });
  expect(await server.stop()).toBe(0);
  const { code, stdout } = await runCli(["audit", "prune", "--older-than", "30d", "--data-dir", server.dataDir]);
  expect([code, stdout]).toEqual([0, expect.stringContaining("Nothing in the audit log")]);
  tried(context, "gatehouse audit prune");
});

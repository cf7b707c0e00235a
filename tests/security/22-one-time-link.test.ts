import { expect, test } from "vitest";
import { enrolFakeHost, type EnrolRefusal } from "../support/fake-host.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { newCode, nodesFor } from "./support/fleet.ts";
import { call, enter } from "./support/people.ts";
import { sharedServer } from "./support/shared-server.ts";
import { count, tried } from "./support/tried.ts";

/** Coolify, Omni: a link that was good for once was used twice, at the same moment. */
const server = await sharedServer({ env: { SERVICE_TRUST_PROXY: "1", SERVICE_API_RATE: "1000,2000" } });
const { port } = server;
const base = `http://127.0.0.1:${port}`;

test("a code enrols one host, however many use it at once", async (context) => {
  const owner = await enter(port);
  const { code } = await newCode(port, owner);
  const hosts = Array.from({ length: 50 }, (_, at) => new PretendHost(`once-${at}`));
  const ends = await Promise.allSettled(hosts.map((host) => enrolFakeHost(base, code, { host })));
  const refused = ends.filter((end) => end.status === "rejected").map(({ reason }) => (reason as EnrolRefusal).code);
  expect(refused).toEqual(Array.from({ length: 49 }, () => "enrol.code_used"));
  const mine = (await nodesFor(port, owner.as)).filter(({ hostname }) => hostname.startsWith("once-"));
  expect(mine).toHaveLength(1);
  tried(context, count(hosts.length, "uses at once"));
});

test("a revoked code enrols nobody, and one that was used cannot be taken back into use", async () => {
  const owner = await enter(port);
  const [revoked, used] = [await newCode(port, owner), await newCode(port, owner)];
  expect((await call(port, "DELETE", `/api/nodes/enrolments/${revoked.id}`, { as: owner.as })).status).toBe(204);
  await expect(enrolFakeHost(base, revoked.code)).rejects.toMatchObject({ code: "enrol.code_unknown" });
  await enrolFakeHost(base, used.code, { hostname: "first" });
  expect((await call(port, "DELETE", `/api/nodes/enrolments/${used.id}`, { as: owner.as })).code).toBe(
    "enrol.code_used",
  );
  await expect(enrolFakeHost(base, used.code, { hostname: "second" })).rejects.toMatchObject({
    code: "enrol.code_used",
  });
});

test("a code is shown once, also to whoever repeats the request that made it", async (context) => {
  const owner = await enter(port);
  const made = () =>
    call<{ readonly items?: readonly { readonly id: string }[]; readonly ids?: readonly string[] }>(
      port,
      "POST",
      "/api/nodes/enrolments",
      { as: owner.as, headers: [["Idempotency-Key", "once"]], body: { count: 2 } },
    );
  const answers = await Promise.all(Array.from({ length: 20 }, made));
  const [first, ...more] = answers.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  const refused = answers.filter((answer) => answer !== first);
  expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(["enrolment.already_made"]));
  const ids = first?.body.items?.map(({ id }) => id);
  for (const { body, raw } of refused) {
    expect(body.ids).toEqual(ids);
    expect(raw.body.toString()).not.toContain("ghe1_");
  }
  tried(context, count(answers.length, "requests with one key"));
});

import { manualClock } from "@gatehouse/base";
import { verifyBundle } from "@gatehouse/bundle/verify";
import { afterAll, expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { startPlanted } from "./inside/planted-server.ts";
import { call, enter, newToken } from "./support/people.ts";
import { makePluginPlace } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** sigstore-go: the time a key is valid for stood in the metadata, and nobody looked at it. */
const end = "2027-06-01T12:00:00Z";
const atEnd = Date.parse(end);

test("a key counts up to its last second, an expiry ends before its moment, and revocation is for ever", async (context) => {
  const limited = policyOf({ acme: { keys: [keyOf("acme")], notAfter: end } });
  const revoked = policyOf({ acme: { keys: [keyOf("acme")] } }, { keys: [keyOf("acme").keyId] });
  const plain = makeBundle({ id: "acme-time" });
  const expiring = makeBundle({ id: "acme-time", expiresAt: end });
  const moments: readonly number[] = [
    0,
    atEnd - 1_000,
    atEnd - 1,
    atEnd,
    atEnd + 1,
    atEnd + 1_000,
    Date.parse("9999-12-31T23:59:59Z"),
  ];
  for (const now of moments) {
    const at = new Date(now).toISOString();
    const judge = async (bundle: typeof plain, policy: typeof limited) => {
      const verdict = await verifyBundle({ bundle: inMemory(bundle), policy, now });
      return verdict.accepted ? "accepted" : verdict.refusal.code;
    };
    expect(await judge(plain, limited), at).toBe(now <= atEnd ? "accepted" : "bundle.key_expired");
    expect(await judge(expiring, policyOf()), at).toBe(now < atEnd ? "accepted" : "bundle.expired");
    expect(await judge(plain, revoked), at).toBe("bundle.key_revoked");
  }
  tried(context, count(moments.length * 3, "moments"));
});

test("a clock that is none keeps every limited key and bundle out", async (context) => {
  const limited = policyOf({ acme: { keys: [keyOf("acme")], notAfter: end } });
  for (const now of [Number.NaN, Infinity]) {
    expect(
      (await verifyBundle({ bundle: inMemory(makeBundle({ id: "acme-time" })), policy: limited, now })).accepted,
    ).toBe(false);
  }
  tried(context, "2 clocks that are none");
});

test("a policy takes one spelling of a time and no other", (context) => {
  const spellings = [
    "2027-06-01T12:00:00+00:00",
    "2027-06-01T12:00:00.000Z",
    "2027-06-01 12:00:00Z",
    "2027-06-01T12:00Z",
    "2027-06-01",
    "2027-6-1T12:00:00Z",
    "2027-02-29T00:00:00Z",
    "2027-06-31T00:00:00Z",
    "2027-06-01T24:00:00Z",
    "2027-06-01T12:60:00Z",
    "2027-06-01t12:00:00z",
    "+002027-06-01T12:00:00Z",
    "-000001-01-01T00:00:00Z",
    "never",
    "",
    " 2027-06-01T12:00:00Z",
    "1812542400",
  ];
  for (const notAfter of spellings) {
    expect(() => policyOf({ acme: { keys: [keyOf("acme")], notAfter } }), notAfter).toThrow("trust.invalid");
  }
  tried(context, count(spellings.length, "other spellings"));
});

const place = await makePluginPlace(
  policyText({
    acme: { keys: [keyOf("acme")], notAfter: end },
    old: { keys: [keyOf("old")], notAfter: "2026-01-01T00:00:00Z" },
  }),
);
afterAll(() => place[Symbol.asyncDispose]());
await placeBundle(place.directory, makeBundle({ id: "acme-time" }));
await placeBundle(place.directory, makeBundle({ id: "acme-brief", expiresAt: end }));
await placeBundle(place.directory, makeBundle({ id: "old-time", publisher: "old" }, [keyOf("old")]));

test("what was valid when the server started is asked again when it is accepted or activated", async (context) => {
  const clock = manualClock(atEnd - 3_600_000);
  const env = { SERVICE_PLUGIN_DIR: place.directory, SERVICE_PLUGIN_TRUST: place.trustFile };
  await using server = await startPlanted({ routes: [], authenticate: "real", env, clock });
  const owner = await enter(server.port);
  // A session would have to prove its password again after the hour.
  const { as } = await newToken(server.port, owner, ["plugin:admin"]);
  const move = (id: string, status: string) =>
    call<{ detail: string }>(server.port, "POST", "/api/plugins/lifecycle", { as, body: { id, status } });
  const { body } = await call<{ items: { id: string }[]; rejections: { name: string; code: string }[] }>(
    server.port,
    "GET",
    "/api/plugins/lifecycle",
    owner,
  );
  expect(body.items.map(({ id }) => id)).toEqual(["acme-brief", "acme-time"]);
  expect(body.rejections.map(({ name, code }) => [name, code])).toEqual([["old-time", "bundle.key_expired"]]);
  expect((await move("acme-time", "installed")).status).toBe(200);
  clock.advance(3_600_000 + 1);
  expect((await move("acme-brief", "installed")).code).toBe("plugin.digest_stale");
  expect((await move("acme-time", "active")).code).toBe("plugin.activation_failed");
  const trust = await call<{ items: { id: string; keys: { status: string }[] }[] }>(
    server.port,
    "GET",
    "/api/plugins/trust",
    owner,
  );
  expect(trust.body.items.flatMap(({ keys }) => keys.map(({ status }) => status))).toEqual(["expired", "expired"]);
  tried(context, "1 key and 1 bundle that end while the server runs");
});

import { parseTrustPolicy, serialiseManifest, verifyBundle } from "@gatehouse/bundle/verify";
import { expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, policyText } from "../bundles/sample.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** go-tuf, sigstore-go: one key that stood there twice counted as two, or the threshold was not looked at. */
const words = ["k1", "k2", "k3", "k4", "k5"];
const keys = words.map(keyOf);
const stranger = keyOf("a stranger");

test("for every set of signers and every threshold, exactly those with enough keys are accepted", async (context) => {
  let cases = 0;
  for (let threshold = 1; threshold <= keys.length; threshold += 1) {
    const policy = policyOf({ acme: { keys, threshold } });
    for (let set = 0; set < 2 ** keys.length; set += 1) {
      const signers = keys.filter((_, at) => (set & (1 << at)) !== 0);
      for (const more of [[], [stranger]]) {
        const bundle = inMemory(makeBundle({ id: "acme-many" }, [...signers, ...more]));
        const verdict = await verifyBundle({ bundle, policy, now: 0 });
        const name = `${signers.length} of ${threshold}, and ${more.length} strangers`;
        expect(verdict.accepted, name).toBe(signers.length >= threshold);
        if (verdict.accepted) expect(verdict.bundle.signers.length, name).toBe(signers.length);
        cases += 1;
      }
    }
  }
  tried(context, count(cases, "sets of signers"));
});

test("a key that stands there twice counts once, in whatever way it is written", async (context) => {
  const policy = policyOf({ acme: { keys, threshold: 2 } });
  const { manifest, artifact } = makeBundle({ id: "acme-twice" }, [keys[0] ?? stranger]);
  const [one] = manifest.signatures;
  if (one === undefined) throw new Error("it is signed");
  const other = keys[1]?.keyId ?? "";
  const lists: readonly (readonly object[])[] = [
    [one, one],
    [one, { ...one }],
    [one, { ...one, keyId: one.keyId.toUpperCase() }],
    [{ ...one, keyId: one.keyId.toUpperCase() }, one],
    [one, { ...one, keyId: `${one.keyId} ` }],
    [one, { ...one, keyId: `0x${one.keyId}` }],
    [one, { ...one, ed25519: one.ed25519.replace("==", "") }],
    [one, { ...one, ed25519: `${one.ed25519}\n` }],
    [one, { keyId: other, ed25519: one.ed25519 }].sort((a, b) => (a.keyId < b.keyId ? -1 : 1)),
    [one, { ...one, keyId: other.slice(0, 8) }],
    Array.from({ length: 8 }, () => one),
  ];
  for (const [at, signatures] of lists.entries()) {
    const bundle = inMemory({
      id: "acme-twice",
      artifact,
      manifestBytes: serialiseManifest({ ...manifest, signatures }),
    });
    expect((await verifyBundle({ bundle, policy, now: 0 })).accepted, `list ${at}`).toBe(false);
  }
  tried(context, count(lists.length, "lists with one key"));
});

test("a policy cannot name one key twice, or ask for fewer signatures than one or for more than it has keys", (context) => {
  const two = JSON.parse(policyText({ acme: { keys: keys.slice(0, 2) } })) as {
    publishers: { acme: Record<string, unknown> };
  };
  const [key] = two.publishers.acme["keys"] as object[];
  const changes: readonly object[] = [
    { keys: [key, key], threshold: 2 },
    { keys: [key, { ...key, notAfter: "2099-01-01T00:00:00Z" }], threshold: 2 },
    ...[0, -1, 3, 1.5, 1e9, "2", null, true, [], {}].map((threshold) => ({ threshold })),
  ];
  for (const change of changes) {
    const text = JSON.stringify({ publishers: { acme: { ...two.publishers.acme, ...change } } });
    expect(() => parseTrustPolicy(Buffer.from(text)), text).toThrow("trust.invalid");
  }
  tried(context, count(changes.length, "policies refused"));
});

/** Ceilings, revocation and validity come before the count: what falls away never counts. */
const place = await makePluginPlace(
  policyText(
    {
      acme: { keys: keys.slice(0, 3), threshold: 2 },
      old: { keys: [keyOf("o1"), keyOf("o2")], threshold: 2, notAfter: "2020-01-01T00:00:00Z" },
    },
    { keys: [keyOf("k3").keyId] },
  ),
);
const placed: Readonly<
  Record<string, readonly [code: string | undefined, signers: readonly string[], publisher?: string]>
> = {
  "acme-enough": [undefined, ["k1", "k2"]],
  "acme-and-more": [undefined, ["k1", "k2", "k3", "a stranger"]],
  "acme-alone": ["bundle.threshold_not_met", ["k1"]],
  "acme-with-revoked": ["bundle.threshold_not_met", ["k1", "k3"]],
  "acme-with-stranger": ["bundle.threshold_not_met", ["k2", "a stranger"]],
  "acme-revoked": ["bundle.key_revoked", ["k3"]],
  "acme-unlisted": ["bundle.publisher_not_trusted", ["k4", "k5"]],
  "old-both": ["bundle.key_expired", ["o1", "o2"], "old"],
};
for (const [id, [, signers, publisher = "acme"]] of Object.entries(placed)) {
  await placeBundle(place.directory, makeBundle({ id, publisher }, signers.map(keyOf)));
}
const started = await sharedPlugins(place);

test("the server counts in the same way at its start", async (context) => {
  const refused = Object.entries(placed).flatMap(([id, [code]]) => (code === undefined ? [] : [[id, code] as const]));
  expect(await started.codes()).toEqual(Object.fromEntries(refused));
  const { items } = await started.list();
  expect(items.map(({ id, signers }) => [id, signers.length])).toEqual([
    ["acme-and-more", 2],
    ["acme-enough", 2],
  ]);
  tried(context, count(Object.keys(placed).length, "bundles at a start"));
});

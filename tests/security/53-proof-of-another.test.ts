import { createPublicKey, generateKeyPairSync, sign } from "node:crypto";
import type { PublisherKey } from "@gatehouse/bundle/sign";
import { serialiseManifest, signingPayload, verifyBundle } from "@gatehouse/bundle/verify";
import type { Plan } from "@gatehouse/contract/routes";
import { expect, test } from "vitest";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf, sha256, type SampleBundle } from "../bundles/sample.ts";
import { newPerson } from "./support/people.ts";
import {
  adaKey,
  move,
  newPlan,
  plannedHost,
  restartNginx,
  shownPlan,
  signatureBody,
  statementAbout,
  trustsAda,
} from "./support/plans.ts";
import { makePluginPlace, sharedPlugins, startOver } from "./support/plugins.ts";
import { count, tried } from "./support/tried.ts";

/** cosign: any valid proof was taken for a proof about this artifact. */
const policy = policyOf({
  acme: { keys: [keyOf("acme")], capabilities: ["kv:read"] },
  guild: { keys: [keyOf("guild")], idPrefixes: ["acme-"] },
});

/** Bundles that differ in one thing each; all are signed and accepted. */
const all: readonly SampleBundle[] = [
  makeBundle({ id: "acme-one" }),
  makeBundle({ id: "acme-two" }),
  makeBundle({ id: "acme-one", version: "1.0.1" }),
  makeBundle({ id: "acme-one", name: "Another" }),
  makeBundle({ id: "acme-one", capabilities: ["kv:read"] }),
  makeBundle({ id: "acme-one" }, undefined, "another artifact"),
  makeBundle({ id: "acme-one", expiresAt: "2099-01-01T00:00:00Z" }),
  makeBundle({ id: "acme-one", publisher: "guild" }, [keyOf("guild")]),
  makeBundle({
    id: "acme-one",
    contributions: { nav: [{ component: "a.b", title: "T", path: "/apps/acme-one" }], enhancements: [] },
  }),
];

test("a signature belongs to one manifest, and an artifact to one manifest", async (context) => {
  let pairs = 0;
  for (const [at, one] of all.entries()) {
    for (const [of, other] of all.entries()) {
      const signatures = one.manifest.signatures.map(({ keyId }) => ({
        keyId,
        ed25519: other.manifest.signatures[0]?.ed25519,
      }));
      const crossed = { ...one, manifestBytes: serialiseManifest({ ...one.manifest, signatures }) };
      const verdict = await verifyBundle({ bundle: inMemory(crossed), policy, now: 0 });
      expect(verdict.accepted, `the signature of ${of} on ${at}`).toBe(at === of);
      if (!verdict.accepted) expect(verdict.refusal.code).toBe("bundle.invalid_signature");
      const swapped = await verifyBundle({ bundle: inMemory({ ...one, artifact: other.artifact }), policy, now: 0 });
      expect(swapped.accepted, `the artifact of ${of} in ${at}`).toBe(sha256(one.artifact) === sha256(other.artifact));
      pairs += 1;
    }
  }
  tried(context, `${count(pairs, "pairs")} of signatures and of artifacts`);
});

test("what the same key signed in another form is no signature of the manifest", async (context) => {
  const { manifest, manifestBytes } = makeBundle({ id: "acme-one" });
  const key = keyOf("acme");
  const payload = Buffer.from(signingPayload(manifest));
  const body = payload.subarray(payload.indexOf(10) + 1);
  const texts: Readonly<Record<string, Uint8Array>> = {
    "the manifest without the heading": body,
    "the manifest's file": manifestBytes,
    "another heading": Buffer.concat([Buffer.from("gatehouse-plugin-manifest-v2\n"), body]),
    "the heading in upper case": Buffer.concat([Buffer.from("GATEHOUSE-PLUGIN-MANIFEST-V1\n"), body]),
    "the heading twice": Buffer.concat([Buffer.from("gatehouse-plugin-manifest-v1\n"), payload]),
    "the heading without its line end": Buffer.concat([Buffer.from("gatehouse-plugin-manifest-v1"), body]),
    "the digest of the payload": Buffer.from(sha256(payload), "hex"),
    "the digest in hex": Buffer.from(sha256(payload)),
    "the payload without its line end": payload.subarray(0, -1),
    "the payload and a line end": Buffer.concat([payload, Buffer.from("\n")]),
    "the artifact's digest": Buffer.from(manifest.artifact.sha256),
    nothing: Buffer.alloc(0),
  };
  const judge = (bytes: Uint8Array, by: PublisherKey = key) => {
    const signatures = [{ keyId: key.keyId, ed25519: sign(null, bytes, by.privateKey).toString("base64") }];
    const file = serialiseManifest({ ...manifest, signatures });
    return verifyBundle({
      bundle: inMemory({ ...makeBundle({ id: "acme-one" }), manifestBytes: file }),
      policy,
      now: 0,
    });
  };
  expect((await judge(payload)).accepted).toBe(true);
  for (const [what, bytes] of Object.entries(texts)) expect((await judge(bytes)).accepted, what).toBe(false);
  expect((await judge(payload, keyOf("guild"))).accepted, "another trusted key under this key's id").toBe(false);
  tried(context, `${count(Object.keys(texts).length, "other forms")} signed by the right key`);
});

const place = await makePluginPlace();
const [first, second] = [makeBundle({ id: "acme-first" }), makeBundle({ id: "acme-second" })];
const lent = serialiseManifest({ ...second.manifest, signatures: first.manifest.signatures });
await placeBundle(place.directory, first);
await placeBundle(place.directory, { ...second, manifestBytes: lent });
await placeBundle(place.directory, { ...first, id: "acme-third" });
await placeBundle(place.directory, { ...makeBundle({ id: "acme-fourth" }), artifact: first.artifact });
const started = await sharedPlugins(place);

test("the server takes no proof of another bundle at its start", async (context) => {
  expect((await started.list()).items.map(({ id }) => id)).toEqual(["acme-first"]);
  expect(await started.codes()).toEqual({
    "acme-second": "bundle.invalid_signature",
    "acme-third": "bundle.duplicate_id",
    "acme-fourth": "bundle.artifact_digest_mismatch",
  });
  tried(context, "3 borrowed proofs at a start");
});

test("a signature by a key of another kind under a trusted id is refused and breaks nothing", async () => {
  const { manifest, artifact } = makeBundle({ id: "acme-one" });
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const made = sign("sha256", signingPayload(manifest), { key: privateKey, dsaEncoding: "ieee-p1363" });
  expect(createPublicKey(privateKey).asymmetricKeyType).toBe("ec");
  const signatures = [{ keyId: keyOf("acme").keyId, ed25519: made.toString("base64") }];
  const bundle = inMemory({ id: "acme-one", artifact, manifestBytes: serialiseManifest({ ...manifest, signatures }) });
  expect(await verifyBundle({ bundle, policy, now: 0 })).toMatchObject({
    accepted: false,
    refusal: { code: "bundle.invalid_signature" },
  });
});

test("an approval of one plan is none of another, of fewer hosts none of more, and under another trust none at all", async (context) => {
  await using place = await makePluginPlace();
  await using plugins = await startOver(place);
  const { port, owner } = plugins;
  const author = await newPerson(port, owner, "operator");
  const hosts = [
    await plannedHost(port, owner, { name: "a", tell: trustsAda }),
    await plannedHost(port, owner, { name: "b", tell: trustsAda }),
  ];
  const nodes = hosts.map(({ nodeId }) => nodeId);
  const wishes = [
    { ...restartNginx, nodes },
    { ...restartNginx, nodes: nodes.slice(0, 1) },
    { ...restartNginx, nodes: nodes.slice(1) },
    { ...restartNginx, title: "Restart nginx again", nodes },
  ];
  const plans: Plan[] = [];
  for (const wish of wishes) plans.push(await newPlan(port, author.as, wish));
  const approve = (id: string, body: object) => move(port, owner.as, id, { deed: "approvals", body });
  const signatures = plans.map((plan) => signatureBody(adaKey, statementAbout(plan)));
  let pairs = 0;
  for (const [at, plan] of plans.entries()) {
    for (const [of, body] of signatures.entries()) {
      if (at === of) continue;
      expect((await approve(plan.id, body)).code, `that of ${of} for ${at}`).toBe("statement.plan");
      pairs += 1;
    }
    const strange = signatureBody(adaKey, statementAbout(plan, { trust: ["0d".repeat(32)] }));
    expect((await approve(plan.id, strange)).code).toBe("statement.trust");
    expect((await shownPlan(port, owner.as, plan.id)).state).toBe("in_review");
    expect((await approve(plan.id, signatures[at] ?? {})).body.state).toBe("approved");
  }
  tried(context, count(pairs + plans.length, "approvals of others"));
});

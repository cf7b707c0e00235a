import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { joinToken, isFault } from "@gatehouse/contract";
import { type PublisherKey, publisherKeyFromSeed, sealKeyFile } from "@gatehouse/bundle/sign";
import { keyIdOf, parseTrustPolicy, serialiseManifest, signingPayload, verifyBundle } from "@gatehouse/bundle/verify";
import type { WitnessedHead } from "@gatehouse/store";
import { expect, test } from "vitest";
import { isSigned } from "../../packages/store/src/witness.ts";
import { inMemory, keyOf, makeBundle, placeBundle, policyOf } from "../bundles/sample.ts";
import { importPrivateKey } from "@gatehouse/keys";
import type { MadeKey } from "../support/approvers.ts";
import { FakeRefusal } from "../support/fake-host.ts";
import { call, newPerson, newToken, ofCookie, ofToken } from "./support/people.ts";
import {
  adaKey,
  move,
  newPlan,
  plannedHost,
  restartNginx,
  signatureBody,
  statementAbout,
  trustsAda,
} from "./support/plans.ts";
import { makePluginPlace, sharedPlugins } from "./support/plugins.ts";
import { startRefused } from "./support/server.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Teleport: a certificate for one purpose, nested in another, opened what it was not for. The kinds of keys there are today:
 * a publisher's, a token, a session, the master key, the server's own witness key, a host's two keys, and an approver's.
 */
const place = await makePluginPlace();
await placeBundle(place.directory, makeBundle({ id: "acme-kind" }));
const started = await sharedPlugins(place);
const { port, owner } = started;
const token = await newToken(port, owner, ["plugin:admin", "audit:read"]);
const masterKey = (await readFile(join(place.dataDir, "master.key"), "utf8")).trim();
const witness = (await call<WitnessedHead>(port, "GET", "/api/audit/witness", owner)).body;
const raw = (key: KeyObject) => Buffer.from(key.export({ format: "jwk" }).x ?? "", "base64url");

/** Texts that somebody could take for a publisher's public key. */
const notPublic: Readonly<Record<string, string>> = {
  "a token": token.token,
  "a token's secret part": token.token.slice(21, 64),
  "a session": owner.cookie.split("=")[1] ?? "",
  "the master key": masterKey,
  "a key id": keyOf("acme").keyId,
  "a public key in hex": Buffer.from(keyOf("acme").publicKey, "base64").toString("hex"),
  "a public key for addresses": Buffer.from(keyOf("acme").publicKey, "base64").toString("base64url"),
  "a signature": makeBundle({ id: "acme-kind" }).manifest.signatures[0]?.ed25519 ?? "",
  "SPKI in DER": spkiOf("ed25519").toString("base64"),
  "SPKI in PEM": pemOf("ed25519"),
  "X25519 in DER": spkiOf("x25519").toString("base64"),
  "Ed448 in DER": spkiOf("ed448").toString("base64"),
  "P-256 in PEM": pemOf("ec"),
  "RSA in PEM": pemOf("rsa"),
  "a line of ssh": `ssh-ed25519 ${sshBlob().toString("base64")} somebody@host`,
  "a blob of ssh": sshBlob().toString("base64"),
  "a minisign key": Buffer.concat([Buffer.from("Ed"), randomBytes(40)]).toString("base64"),
  "an age key": "age1qyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqszqgpqyqs3290gq",
  "31 bytes": randomBytes(31).toString("base64"),
  "33 bytes": randomBytes(33).toString("base64"),
  "64 bytes": randomBytes(64).toString("base64"),
};

test("what is no raw Ed25519 public key in base64 cannot stand in a trust policy", (context) => {
  for (const [what, publicKey] of Object.entries(notPublic)) {
    const bytes = Buffer.from(publicKey, "base64");
    for (const id of new Set([keyIdOf(bytes), keyIdOf(Buffer.from(publicKey)), keyOf("acme").keyId])) {
      expect(load({ id, publicKey }), what).toBe("trust.invalid");
    }
  }
  expect(load({ id: keyOf("acme").keyId, publicKey: keyOf("acme").publicKey })).toBe("loaded");
  tried(context, `${count(Object.keys(notPublic).length, "other things")} in the place of a public key`);
});

test("a private key in a trust policy stops the start in its own words, and is not repeated", async (context) => {
  const seed = randomBytes(32).toString("base64");
  const pem = generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" });
  const keyFile = Buffer.from(await sealKeyFile(publisherKeyFromSeed(randomBytes(32)), { plain: true })).toString();
  const good = { id: keyOf("acme").keyId, publicKey: keyOf("acme").publicKey };
  const policies = [
    { publishers: { acme: { keys: [{ ...good, seed }], idPrefixes: [], capabilities: [] } } },
    { publishers: { acme: { keys: [{ ...good, privateKey: seed }], idPrefixes: [], capabilities: [] } } },
    { publishers: { acme: { keys: [{ ...good, publicKey: pem }], idPrefixes: [], capabilities: [] } } },
    JSON.parse(keyFile) as object,
  ];
  for (const policy of policies) expect(loadText(JSON.stringify(policy))).toMatch(/holds a private key/);
  for (const policy of policies) expect(loadText(JSON.stringify(policy))).not.toContain(seed.slice(0, 20));
  const { code, stderr, stdout } = await startRefused({ SERVICE_PLUGIN_TRUST: JSON.stringify(policies[0]) });
  expect(code).toBe(1);
  expect(stderr).toContain("holds a private key");
  expect(stderr + stdout).not.toContain(seed.slice(0, 20));
  tried(context, `${count(policies.length, "policies")} with a private key`);
});

test("no secret of a server signs a bundle, not even as the seed of a key", async (context) => {
  const seeds: Readonly<Record<string, Uint8Array>> = {
    "the master key": Buffer.from(masterKey, "hex").subarray(0, 32),
    "a token's secret": Buffer.from(token.token.slice(21, 53)),
    "a session": Buffer.from((owner.cookie.split("=")[1] ?? "").padEnd(32, "0").slice(0, 32)),
    "the witness's public key": Buffer.from(witness.server, "base64url"),
    "a trusted public key": Buffer.from(keyOf("acme").publicKey, "base64"),
  };
  for (const [what, seed] of Object.entries(seeds)) {
    const key = publisherKeyFromSeed(seed);
    const bundle = inMemory(makeBundle({ id: "acme-kind" }, [key]));
    const verdict = await verifyBundle({ bundle, policy: policyOf(), now: 0 });
    expect(verdict, what).toMatchObject({ accepted: false, refusal: { code: "bundle.publisher_not_trusted" } });
    const named = await verifyBundle({ bundle: inMemory(renamed(key)), policy: policyOf(), now: 0 });
    expect(named, what).toMatchObject({ accepted: false, refusal: { code: "bundle.invalid_signature" } });
  }
  tried(context, `${count(Object.keys(seeds).length, "secrets")} as signing keys`);
});

test("a signature of the server's witness is none of a manifest, and one of a manifest is no witness", async (context) => {
  expect(isSigned(witness)).toBe(true);
  // Even an operator who trusts the server's own key gets nothing signed by it: the words before the text differ.
  const server = Buffer.from(witness.server, "base64url");
  const key = { id: keyIdOf(server), publicKey: server.toString("base64") };
  const policy = parseTrustPolicy(
    Buffer.from(JSON.stringify({ publishers: { acme: { keys: [key], idPrefixes: ["acme-"], capabilities: [] } } })),
  );
  const { manifest, artifact } = makeBundle({ id: "acme-kind" });
  const ed25519 = Buffer.from(witness.signature, "base64url").toString("base64");
  const manifestBytes = serialiseManifest({ ...manifest, signatures: [{ keyId: key.id, ed25519 }] });
  const verdict = await verifyBundle({
    bundle: inMemory({ id: "acme-kind", artifact, manifestBytes }),
    policy,
    now: 0,
  });
  expect(verdict).toMatchObject({ accepted: false, refusal: { code: "bundle.invalid_signature" } });
  const publisher = keyOf("acme");
  const asServer = Buffer.from(publisher.publicKey, "base64").toString("base64url");
  const signature = sign(null, signingPayload(manifest), publisher.privateKey).toString("base64url");
  expect(isSigned({ ...witness, server: asServer, signature })).toBe(false);
  expect(isSigned({ ...witness, server: asServer })).toBe(false);
  tried(context, "2 purposes of one kind of key");
});

test("a publisher's key, or anything of a bundle, opens no door of the API", async (context) => {
  const publisher = keyOf("acme");
  const seed = publisher.privateKey.export({ format: "jwk" }).d ?? "";
  const { manifest, artifact } = makeBundle({ id: "acme-kind" });
  const texts = [
    publisher.keyId,
    publisher.publicKey,
    seed,
    Buffer.from(seed, "base64url").toString("hex"),
    manifest.signatures[0]?.ed25519 ?? "",
    manifest.artifact.sha256,
    Buffer.from(artifact).toString("base64"),
    Buffer.from(serialiseManifest(manifest)).toString("base64"),
    // As a token is built: its form and its check are right.
    joinToken(publisher.keyId.slice(0, 16), seed.replaceAll(/[-_]/g, "0").padEnd(43, "0").slice(0, 43)),
    masterKey,
    witness.signature,
    witness.server,
  ];
  for (const text of texts) {
    for (const as of [
      ofToken(text),
      ofCookie(`${owner.cookie.split("=")[0]}=${text}`),
      [["X-Publisher-Key", text]] as const,
    ]) {
      const { status } = await call(port, "GET", "/api/plugins/lifecycle", { as });
      expect([400, 401], text.slice(0, 12)).toContain(status);
    }
  }
  expect((await call(port, "GET", "/api/plugins/lifecycle", token)).status).toBe(200);
  tried(context, `${count(texts.length * 3, "requests")} with a publisher's things`);
});

test("an X25519 key of the same bytes as a trusted key's seed signs nothing", async () => {
  const { privateKey } = generateKeyPairSync("x25519");
  const scalar = Buffer.from(privateKey.export({ format: "jwk" }).d ?? "", "base64url");
  const verdict = await verifyBundle({
    bundle: inMemory(renamed(publisherKeyFromSeed(scalar))),
    policy: policyOf(),
    now: 0,
  });
  expect(verdict.accepted).toBe(false);
  expect(raw(privateKey)).toHaveLength(32);
  expect(() => sign(null, Buffer.from("x"), privateKey)).toThrow();
});

test("approvers, hosts, their channels, publishers and the server sign each in their own place, and in none of the others'", async (context) => {
  const author = await newPerson(port, owner, "operator");
  const host = await plannedHost(port, owner, { tell: trustsAda });
  const plan = await newPlan(port, author.as, { ...restartNginx, nodes: [host.nodeId] });
  const keys: Readonly<Record<string, KeyObject>> = {
    "an approver's": adaKey.privateKey,
    "the host's": host.hostKey,
    "the channel's": host.channelKey,
    "a publisher's": importPrivateKey(new Uint8Array(32).fill(7)),
    "the master key": importPrivateKey(Buffer.from(masterKey, "base64").subarray(0, 32)),
  };
  const approve = (body: object) => move(port, owner.as, plan.id, { deed: "approvals", body });
  for (const [what, privateKey] of Object.entries(keys)) {
    if (privateKey !== adaKey.privateKey) {
      const own: MadeKey = { type: "ssh-ed25519", blob: sshBlob(privateKey), line: "", privateKey };
      expect((await approve(signatureBody(own, statementAbout(plan)))).code, what).toBe("signature.key_unknown");
      // Under the approver's name, too.
      const posing = { ...adaKey, privateKey };
      expect((await approve(signatureBody(posing, statementAbout(plan)))).code, what).toBe("signature.invalid");
    }
    if (privateKey !== host.channelKey) {
      const refused = await host.hello({ signer: privateKey } as object).catch((error: unknown) => error);
      expect(refused, what).toBeInstanceOf(FakeRefusal);
    }
  }
  expect((await approve(signatureBody(adaKey, statementAbout(plan)))).body.state).toBe("approved");
  expect((await move(port, owner.as, plan.id, { deed: "apply" })).status).toBe(200);
  const told = { ...(await host.nextTask()), approvalId: randomBytes(16) };
  for (const [what, signer] of Object.entries(keys)) {
    if (signer === host.hostKey) continue;
    const connection = await host.hello();
    connection.send(host.host.outcome(told, { signer }));
    expect((await connection.closed).reason, what).toBe("frame.malformed");
  }
  tried(context, count(Object.keys(keys).length * 3 - 3, "keys in the places of others"));
});

/** Signed by one key, under the id of the trusted one. */
function renamed(key: PublisherKey) {
  const { manifest, artifact } = makeBundle({ id: "acme-kind" }, [key]);
  const signatures = manifest.signatures.map(({ ed25519 }) => ({ keyId: keyOf("acme").keyId, ed25519 }));
  return { id: "acme-kind", artifact, manifestBytes: serialiseManifest({ ...manifest, signatures }) };
}

function load(key: { id: string; publicKey: string }): string {
  const found = loadText(JSON.stringify({ publishers: { acme: { keys: [key], idPrefixes: [], capabilities: [] } } }));
  return found === "" ? "loaded" : "trust.invalid";
}

/** What a policy is refused with, or nothing. */
function loadText(text: string): string {
  try {
    parseTrustPolicy(Buffer.from(text));
    return "";
  } catch (error) {
    if (isFault(error, "trust.invalid")) return error.detail;
    throw error;
  }
}

function publicOf(kind: "ed25519" | "x25519" | "ed448" | "ec" | "rsa"): KeyObject {
  if (kind === "rsa") return generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey;
  if (kind === "ec") return generateKeyPairSync("ec", { namedCurve: "P-256" }).publicKey;
  if (kind === "ed25519") return generateKeyPairSync("ed25519").publicKey;
  return kind === "ed448" ? generateKeyPairSync("ed448").publicKey : generateKeyPairSync("x25519").publicKey;
}

function spkiOf(kind: Parameters<typeof publicOf>[0]): Buffer {
  return publicOf(kind).export({ format: "der", type: "spki" });
}

function pemOf(kind: Parameters<typeof publicOf>[0]): string {
  return publicOf(kind).export({ format: "pem", type: "spki" });
}

/** RFC 8709: the name of the kind and the key, each after its length. */
function sshBlob(key: KeyObject = publicOf("ed25519")): Buffer {
  const framed = (bytes: Buffer) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.length);
    return Buffer.concat([length, bytes]);
  };
  return Buffer.concat([framed(Buffer.from("ssh-ed25519")), framed(raw(key))]);
}

import { createHash } from "node:crypto";
import { byteForm } from "@gatehouse/base";
import { importPrivateKey, keyIdOf, publicKeyBytes } from "@gatehouse/keys";
import { frame } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import { joinBytes, sshString } from "../ssh-wire.ts";
import { serialiseTrust, type TrustFile } from "../trust-file.ts";
import { codeOf } from "./approval-cases.ts";
import { approverKeyId } from "./load-ssh-key.ts";
import { makeKey } from "./ssh-key-cases.ts";
import { firstTrust, parseTrust, trustDigest } from "./trust.ts";

const ada = makeKey("ssh-ed25519", 1).blob;
const adaToken = makeKey("sk-ssh-ed25519@openssh.com", 2).blob;
const bob = makeKey("ecdsa-sha2-nistp256", 3).blob;
const publisherKey = (seed: number) => publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(seed)));
const publisherEntry = (key: Uint8Array) => ({ id: keyIdOf(key), key: key.toBase64() });
const entry = (blob: Uint8Array) => ({ id: approverKeyId(blob), kind: "ssh" as const, key: blob.toBase64() });

const file: TrustFile = {
  schema: 1,
  epoch: 1,
  prev: null,
  persons: [
    { name: "Ada", keys: [entry(ada), { ...entry(adaToken), uv: false }] },
    { name: "Bob", keys: [entry(bob)] },
  ],
  thresholds: { change: 1, network: 2, update: 2, terminal: 1, trust: 2 },
  publishers: {},
  auditors: [],
};
const [adaPerson, bobPerson] = file.persons as [TrustFile["persons"][number], TrustFile["persons"][number]];

test("a trust file is read with its keys and its digest", () => {
  const bytes = serialiseTrust({ ...file, notAfter: 1_900_000_000_000, confirm: { network: "approver" } });
  const digest = createHash("sha256").update(frame("gatehouse-trust-v1", bytes)).digest("hex");
  expect(trustDigest(bytes)).toBe(digest);
  expect(parseTrust(bytes)).toEqual({
    epoch: 1,
    prev: null,
    digest,
    notAfter: 1_900_000_000_000,
    networkConfirmation: "approver",
    thresholds: file.thresholds,
    publishers: new Map(),
    persons: [
      {
        name: "Ada",
        keys: [
          { id: approverKeyId(ada), blob: ada, needsVerification: true },
          { id: approverKeyId(adaToken), blob: adaToken, needsVerification: false },
        ],
      },
      { name: "Bob", keys: [{ id: approverKeyId(bob), blob: bob, needsVerification: true }] },
    ],
  });
});

test("without a word about it, the way back to the server confirms, and the file has no end", () => {
  expect(parseTrust(serialiseTrust(file))).toMatchObject({ networkConfirmation: "path", notAfter: undefined });
});

test("publishers are read with their keys, each by the id that follows from it", () => {
  const [acme, next, tools] = [publisherKey(1), publisherKey(2), publisherKey(3)];
  const publishers = {
    acme: { keys: [publisherEntry(acme), publisherEntry(next)] },
    tools: { keys: [publisherEntry(tools)] },
  };
  const read = parseTrust(firstTrust([{ name: "Ada", keys: [{ blob: ada }] }], { publishers })).publishers;
  expect([...read]).toEqual([
    [
      "acme",
      [
        { id: keyIdOf(acme), key: acme },
        { id: keyIdOf(next), key: next },
      ],
    ],
    ["tools", [{ id: keyIdOf(tools), key: tools }]],
  ]);
});

test("a key of a publisher that anybody can sign for is refused", () => {
  const one = new Uint8Array(32);
  one[0] = 1;
  const publishers = { acme: { keys: [publisherEntry(one)] } };
  expect(codeOf(() => parseTrust(byteForm({ ...file, publishers })))).toBe("key.weak");
  const short = { acme: { keys: [publisherEntry(new Uint8Array(31))] } };
  expect(codeOf(() => parseTrust(byteForm({ ...file, publishers: short })))).toBe("key.weak");
});

test("a later epoch follows a file, or none after root has set it anew", () => {
  expect(parseTrust(serialiseTrust({ ...file, epoch: 2, prev: "0a".repeat(32) })).prev).toBe("0a".repeat(32));
  expect(parseTrust(serialiseTrust({ ...file, epoch: 7 })).epoch).toBe(7);
});

test("a first file is made of persons and their keys", () => {
  const bytes = firstTrust([
    { name: "Ada", keys: [{ blob: ada }, { blob: adaToken, uv: false }] },
    { name: "Bob", keys: [{ blob: bob }] },
  ]);
  const ones = { change: 1, network: 1, update: 1, terminal: 1, trust: 1 };
  expect(bytes).toEqual(serialiseTrust({ ...file, thresholds: ones }));
  const strict = firstTrust([{ name: "Ada", keys: [{ blob: ada }] }], { notAfter: 5, confirm: { network: "path" } });
  expect(parseTrust(strict)).toMatchObject({ notAfter: 5, networkConfirmation: "path" });
  const anew = firstTrust([{ name: "Ada", keys: [{ blob: ada }] }], { epoch: 4 });
  expect(parseTrust(anew)).toMatchObject({ epoch: 4, prev: null });
});

test("a first file that no host would take is not made", () => {
  expect(codeOf(() => firstTrust([]))).toBe("trust.form");
  expect(codeOf(() => firstTrust([{ name: "Ada", keys: [{ blob: ada, uv: true }] }]))).toBe("trust.form");
  const thresholds = { ...file.thresholds, network: 1, update: 1, trust: 2 };
  expect(codeOf(() => firstTrust([{ name: "Ada", keys: [{ blob: ada }] }], { thresholds }))).toBe("trust.form");
});

test("persons and keys up to their limits are taken", () => {
  const persons = Array.from({ length: 64 }, (_, person) => ({
    name: `Person ${person}`,
    keys: [{ blob: makeKey("ssh-ed25519", person + 1).blob }],
  }));
  expect(parseTrust(firstTrust(persons)).persons).toHaveLength(64);
  const keys = Array.from({ length: 8 }, (_, key) => ({ blob: makeKey("ssh-ed25519", key + 1).blob }));
  expect(parseTrust(firstTrust([{ name: "Ada", keys }])).persons[0]?.keys).toHaveLength(8);
});

const thresholdsOf = (more: Partial<TrustFile["thresholds"]>) => ({ thresholds: { ...file.thresholds, ...more } });
const adaWith = (...keys: readonly object[]) => ({ persons: [{ name: "Ada", keys }, bobPerson] });
const publisherWith = (...keys: readonly object[]) => ({ publishers: { acme: { keys } } });
const sameCurve = makeKey("sk-ecdsa-sha2-nistp256@openssh.com", 3).blob;
const samePoint = makeKey("sk-ssh-ed25519@openssh.com", 1).blob;

test.each<[string, object]>([
  ["another schema", { schema: 2 }],
  ["a field more", { mode: "signed" }],
  ["a ceiling", { ceiling: {} }],
  ["the origins of assertions, which come later", { webauthn: { rpId: "localhost", origins: [] } }],
  ["epoch 0", { epoch: 0 }],
  ["a broken epoch", { epoch: "1" }],
  ["a first epoch that follows something", { prev: "0a".repeat(32) }],
  ["a file before it that is no digest", { epoch: 2, prev: "0A".repeat(32) }],
  ["no person", { persons: [] }],
  ["65 persons", { persons: Array.from({ length: 65 }, (_, index) => ({ ...adaPerson, name: `P${index}` })) }],
  ["a person without a key", adaWith()],
  ["a person with nine keys", adaWith(...Array<object>(9).fill(entry(ada)))],
  ["a person without a name", { persons: [{ ...adaPerson, name: "" }, bobPerson] }],
  ["a hidden character in a name", { persons: [{ ...adaPerson, name: "A\u202eda" }, bobPerson] }],
  ["two persons of one name", { persons: [adaPerson, { ...bobPerson, name: "Ada" }] }],
  ["a field more in a person", { persons: [{ ...adaPerson, role: "owner" }, bobPerson] }],
  ["a field more in a key", adaWith({ ...entry(ada), notAfter: 1 })],
  ["a key under another id", adaWith({ ...entry(ada), id: approverKeyId(bob) })],
  ["a key of another kind", adaWith({ ...entry(ada), kind: "pgp" })],
  ["a key that is not base64", adaWith({ ...entry(ada), key: "AAA" })],
  ["a PIN wanted of a key that has none", adaWith({ ...entry(ada), uv: true })],
  ["a PIN waived for a key that has none", adaWith({ ...entry(ada), uv: false })],
  ["one key twice under one person", adaWith(entry(ada), entry(ada))],
  ["one key under two persons", adaWith(entry(bob))],
  ["one point of Ed25519 under two types", adaWith(entry(ada), entry(samePoint))],
  ["one point of P-256 under two types and persons", adaWith(entry(sameCurve))],
  ["a threshold of 0", thresholdsOf({ change: 0 })],
  ["a threshold above the persons", thresholdsOf({ update: 3 })],
  ["a threshold of trust above the persons", thresholdsOf({ trust: 3 })],
  ["a threshold more", { thresholds: { ...file.thresholds, other: 1 } }],
  ["a threshold less", { thresholds: { change: 1, network: 1, update: 1, terminal: 1 } }],
  ["a publisher without keys", { publishers: { acme: {} } }],
  ["a publisher with an empty list of keys", { publishers: { acme: { keys: [] } } }],
  ["a publisher that no bundle could have", { publishers: { Acme: { keys: [publisherEntry(publisherKey(1))] } } }],
  ["a publisher's key under another id", publisherWith({ ...publisherEntry(publisherKey(1)), id: "0".repeat(32) })],
  ["a publisher's key that is not base64", publisherWith({ ...publisherEntry(publisherKey(1)), key: "AAA" })],
  ["a field more in a publisher's key", publisherWith({ ...publisherEntry(publisherKey(1)), notAfter: 1 })],
  ["one key of a publisher twice", publisherWith(publisherEntry(publisherKey(1)), publisherEntry(publisherKey(1)))],
  ["five keys of a publisher", publisherWith(...[1, 2, 3, 4, 5].map((seed) => publisherEntry(publisherKey(seed))))],
  [
    "one key of two publishers",
    {
      publishers: {
        acme: { keys: [publisherEntry(publisherKey(1))] },
        tools: { keys: [publisherEntry(publisherKey(1))] },
      },
    },
  ],
  [
    "33 publishers",
    {
      publishers: Object.fromEntries(
        Array.from({ length: 33 }, (_, index) => [`p${index}`, { keys: [publisherEntry(publisherKey(index + 1))] }]),
      ),
    },
  ],
  ["an auditor", { auditors: ["x"] }],
  ["an end of 0", { notAfter: 0 }],
  ["another confirmation", { confirm: { network: "nobody" } }],
])("a trust file with %s does not have its form", (_, more) => {
  expect(codeOf(() => parseTrust(byteForm({ ...file, ...more })))).toBe("trust.form");
});

test.each([
  ["no bytes", new Uint8Array()],
  ["another spelling of the JSON", new TextEncoder().encode(JSON.stringify(file))],
  ["a byte behind", new Uint8Array([...serialiseTrust(file), 10])],
  ["more than 64 KiB", byteForm({ ...file, persons: [{ ...adaPerson, name: "x".repeat(65_536) }] })],
])("%s is no trust file", (_, bytes) => {
  expect(codeOf(() => parseTrust(bytes))).toBe("trust.form");
});

const weakPoint = Uint8Array.of(1, ...new Uint8Array(31));

test.each<[string, string, Uint8Array]>([
  ["a weak key", "key.weak", joinBytes(sshString("ssh-ed25519"), sshString(weakPoint))],
  [
    "a weak key in a security key",
    "key.weak",
    joinBytes(sshString("sk-ssh-ed25519@openssh.com"), sshString(weakPoint), sshString("ssh:")),
  ],
  ["a key of RSA", "key.type", joinBytes(sshString("ssh-rsa"), sshString(Uint8Array.of(1)), sshString(weakPoint))],
  ["a key of bytes that are none", "key.type", Uint8Array.of(1, 2, 3)],
])("a trust file with %s is refused by that name", (_, code, blob) => {
  expect(codeOf(() => parseTrust(byteForm({ ...file, ...adaWith(entry(blob)) })))).toBe(code);
});

test("a key of an assertion is refused by its name, as one that comes later", () => {
  const bytes = byteForm({ ...file, ...adaWith({ ...entry(ada), kind: "webauthn" }) });
  expect(() => parseTrust(bytes)).toThrow(
    'key.type: /persons/0/keys/0: expected a key of kind "ssh", found "webauthn", which comes later',
  );
});

test("a refusal names the place, and nothing of others that could not be a name", () => {
  expect(() => parseTrust(byteForm({ ...file, ...thresholdsOf({ network: 3 }) }))).toThrow(
    "/thresholds/network: expected at most 2, the number of persons, found 3",
  );
  expect(() => parseTrust(byteForm({ ...file, "\u001b[31m": 1 }))).toThrow("trust.form: /??31m: is no field here");
});

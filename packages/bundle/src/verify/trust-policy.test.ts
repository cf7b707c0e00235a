import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Fault } from "@gatehouse/base";
import { describe, expect, test } from "vitest";
import { stoppedIfEndless } from "../../../../tests/support/stopped-if-endless.ts";
import { publisherKeyFromSeed } from "../sign/index.ts";
import { trustLimits } from "./limits.ts";
import { sampleKey, samplePolicyFields } from "./sample-cases.ts";
import { emptyTrustPolicy, parseTrustPolicy } from "./trust-policy.ts";

const key = { id: sampleKey.keyId, publicKey: sampleKey.publicKey };
const second = publisherKeyFromSeed(new Uint8Array(32).fill(8));
const publisher = { keys: [key], idPrefixes: ["acme-"], capabilities: ["kv:read"] };

const read = (policy: unknown) => parseTrustPolicy(Buffer.from(JSON.stringify(policy)));
const withPublisher = (changes: object, id = "acme") => ({ publishers: { [id]: { ...publisher, ...changes } } });

function detailOf(policy: unknown): string {
  const bytes = typeof policy === "string" ? Buffer.from(policy) : Buffer.from(JSON.stringify(policy));
  try {
    parseTrustPolicy(bytes);
  } catch (error) {
    expect((error as Fault).code).toBe("trust.invalid");
    return (error as Fault).detail;
  }
  return "accepted";
}

describe("a policy that is accepted", () => {
  test("it says whom to trust with which keys, ids and capabilities", () => {
    const policy = read({
      publishers: {
        acme: {
          ...publisher,
          keys: [
            { ...key, notAfter: "2027-01-01T00:00:00Z" },
            { id: second.keyId, publicKey: second.publicKey },
          ],
          threshold: 2,
        },
      },
      revoked: { keys: ["a".repeat(32)], digests: ["b".repeat(64)] },
    });
    const acme = policy.publishers.get("acme");
    expect(acme).toMatchObject({ id: "acme", idPrefixes: ["acme-"], threshold: 2 });
    expect([...(acme?.capabilities ?? [])]).toEqual(["kv:read"]);
    expect(acme?.keys.map(({ id, notAfter }) => [id, notAfter])).toEqual([
      [sampleKey.keyId, Date.parse("2027-01-01T00:00:00Z")],
      [second.keyId, undefined],
    ]);
    expect(acme?.keys[0]?.key.asymmetricKeyType).toBe("ed25519");
    expect([...policy.revoked.keys, ...policy.revoked.digests]).toEqual(["a".repeat(32), "b".repeat(64)]);
  });

  test("nobody is first-party unless it is said", () => {
    const isFirstParty = (more: object) => read(withPublisher(more)).publishers.get("acme")?.firstParty;
    expect([{}, { firstParty: false }, { firstParty: true }].map(isFirstParty)).toEqual([false, false, true]);
  });

  test("revoked, and each part of it, may be absent; the threshold is 1 then", () => {
    expect(read(samplePolicyFields()).publishers.get("acme")?.threshold).toBe(1);
    expect(read({ publishers: {}, revoked: {} })).toEqual(emptyTrustPolicy);
    expect(read({ publishers: {} })).toEqual(emptyTrustPolicy);
  });

  test("a thousand publishers are read, and not one more", () => {
    const publishers = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => {
        const made = publisherKeyFromSeed(Buffer.from(index.toString(16).padStart(64, "0"), "hex"));
        return [`publisher-${index}`, { ...publisher, keys: [{ id: made.keyId, publicKey: made.publicKey }] }];
      }),
    );
    // Each key is checked once: checking each beside each other one would take a quarter of an hour.
    const policy = stoppedIfEndless("reading a thousand publishers", () => read({ publishers }));
    expect(policy.publishers.size).toBe(1_000);
    expect(detailOf({ publishers: { ...publishers, more: publisher } })).toBe(
      "/publishers: expected at most 1000 publishers, found an object",
    );
  });
});

test("the example in the operator's page is a policy, and its table explains every field", async () => {
  const page = await readFile(resolve(import.meta.dirname, "../../../../docs/operate/trust-policy.md"), "utf8");
  const example = /```json\n([^`]+)```/.exec(page)?.[1] ?? "";
  expect([...parseTrustPolicy(Buffer.from(example)).publishers.keys()]).toEqual(["acme"]);
  const fields = new Set([...example.matchAll(/"([a-zA-Z]+)":/g)].map((match) => match[1] ?? ""));
  const explained = (field: string) => new RegExp(`^\\| \`(\\w+(\\[\\])?\\.)?${field}\``, "m").test(page);
  expect([...fields].filter((field) => !explained(field))).toEqual(["acme", "revoked"]);
});

const refused: ReadonlyArray<readonly [what: string, policy: unknown, detail: string | RegExp]> = [
  ["text that is not JSON", "{", /^\/: expected strict JSON, found a fault at character 1: /],
  ["a key written twice", '{"publishers":{},"publishers":{}}', /a key is written twice/],
  ["a list", [], "/: expected an object, found an array of 0 items"],
  ["no publishers", {}, "/publishers: expected an object with a publisher's id for each key, found nothing"],
  ["a field that does not exist", { publishers: {}, allow: "all" }, "/allow: expected no such field, found one"],
  [
    "a publisher's id that is none",
    withPublisher({}, "Acme/../x"),
    `/publishers/Acme~1..~1x: expected a publisher's id: 2 to 63 of a-z, 0-9 and -, found "Acme/../x"`,
  ],
  [
    "no keys",
    withPublisher({ keys: [] }),
    "/publishers/acme/keys: expected at least one key, found an array of 0 items",
  ],
  [
    "too many keys",
    withPublisher({ keys: Array.from({ length: 33 }, () => key) }),
    "/publishers/acme/keys: expected at most 32 items, found an array of 33 items",
  ],
  ["a key that is a text", withPublisher({ keys: ["x"] }), '/publishers/acme/keys/0: expected an object, found "x"'],
  [
    "a public key of 31 bytes",
    withPublisher({ keys: [{ ...key, publicKey: Buffer.alloc(31).toString("base64") }] }),
    /^\/publishers\/acme\/keys\/0\/publicKey: expected 32 bytes in base64, found something else of \d+ characters/,
  ],
  [
    "a public key without padding",
    withPublisher({ keys: [{ ...key, publicKey: key.publicKey.replace("=", "") }] }),
    /expected 32 bytes in base64/,
  ],
  [
    "a key for which anybody can sign",
    withPublisher({ keys: [{ ...key, publicKey: Buffer.alloc(32).toString("base64") }] }),
    /expected an Ed25519 public key, found another value: it is a point of small order/,
  ],
  [
    "an id that does not follow from the key",
    withPublisher({ keys: [{ ...key, id: "0".repeat(32) }] }),
    `/publishers/acme/keys/0/id: expected ${key.id}, which follows from publicKey, found "${"0".repeat(32)}"`,
  ],
  [
    "one key twice",
    withPublisher({ keys: [key, key] }),
    `/publishers/acme/keys/1: expected a key that stands nowhere else, found the key ${key.id} of acme`,
  ],
  [
    "one key for two publishers",
    { publishers: { acme: publisher, other: publisher } },
    `/publishers/other/keys/0: expected a key that stands nowhere else, found the key ${key.id} of acme`,
  ],
  [
    "an end that is no time",
    withPublisher({ keys: [{ ...key, notAfter: "2027-01-01" }] }),
    '/publishers/acme/keys/0/notAfter: expected a time such as 2027-01-01T00:00:00Z, found "2027-01-01"',
  ],
  [
    "an empty prefix",
    withPublisher({ idPrefixes: [""] }),
    '/publishers/acme/idPrefixes/0: expected a prefix that ends in "-", or a whole plugin id, found ""',
  ],
  ["a prefix that is a dash", withPublisher({ idPrefixes: ["-"] }), /expected a prefix that ends in "-"/],
  ["a prefix twice", withPublisher({ idPrefixes: ["a-", "a-"] }), /expected no item twice/],
  [
    "a capability that does not exist",
    withPublisher({ capabilities: ["*"] }),
    '/publishers/acme/capabilities/0: expected a capability that exists, found "*"',
  ],
  [
    "a threshold of 0",
    withPublisher({ threshold: 0 }),
    "/publishers/acme/threshold: expected an integer of 1 or more, found 0",
  ],
  [
    "a first-party in quotes",
    withPublisher({ firstParty: "true" }),
    '/publishers/acme/firstParty: expected true or false, found "true"',
  ],
  ["a threshold of 1.5", withPublisher({ threshold: 1.5 }), /expected an integer of 1 or more, found 1.5/],
  [
    "a threshold that cannot be met",
    withPublisher({ threshold: 2 }),
    "/publishers/acme/threshold: expected at most 1, the number of keys, found 2",
  ],
  [
    "a revoked key that is none",
    { publishers: {}, revoked: { keys: ["x"] } },
    '/revoked/keys/0: expected a key id: 32 characters of 0-9 and a-f, found "x"',
  ],
  [
    "a revoked digest that is none",
    { publishers: {}, revoked: { digests: [1] } },
    /^\/revoked\/digests\/0: expected a SHA-256/,
  ],
  ["revoked: null", { publishers: {}, revoked: null }, "/revoked: expected an object, found null"],
];

describe("a policy that is refused, with the place, what is expected and what was found", () => {
  test.each(refused)("%s", (_, policy, detail) => {
    if (typeof detail === "string") expect(detailOf(policy)).toBe(detail);
    else expect(detailOf(policy)).toMatch(detail);
  });

  test("more than a mebibyte is not even read", () => {
    const large = " ".repeat(trustLimits.bytes + 1);
    expect(detailOf(large)).toBe("/: expected at most 1048576 bytes, found 1048577 bytes");
  });
});

describe("a private key in the file is refused in words of its own, and never repeated", () => {
  const secret = "nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=";
  const words = /^a trust policy holds public keys only, and this one holds a private key (.+): remove it here/;

  test.each([
    ["a seed", withPublisher({ keys: [{ ...key, seed: secret }] }), "at /publishers/acme/keys/0/seed"],
    ["a private key", withPublisher({ privateKey: secret }), "at /publishers/acme/privateKey"],
    ["a private key in another spelling", { private_key: secret }, "at /private_key"],
    ["a JWK", withPublisher({ keys: [{ kty: "OKP", d: secret }] }), "at /publishers/acme/keys/0/d"],
    ["a PEM block in JSON", withPublisher({ note: `-----BEGIN PRIVATE KEY-----\n${secret}` }), "in PEM form"],
    ["a PEM file", `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret}\n`, "in PEM form"],
  ])("%s", (_, policy, place) => {
    const detail = detailOf(policy);
    expect(words.exec(detail)?.[1]).toBe(place);
    expect(detail).not.toContain(secret);
  });

  test("the number of an item is not taken for a name", () => {
    expect(detailOf({ publishers: {}, revoked: { keys: [null, { seed: 1 }] } })).toMatch(words);
  });
});

import { capabilityNames } from "@gatehouse/contract";
import { writePlain, writeText } from "./manifest-texts.ts";
import type { Loose } from "./manifest-values.ts";
import type { Random } from "../support/random.ts";
import { keyOf, policyText } from "./sample.ts";

/** A trust policy to read, and what is known about it beforehand. */
export interface PolicyCase {
  readonly bytes: Uint8Array;
  /** What was done to it; it has to be refused. Undefined when it may also be taken as it is written. */
  readonly refusedFor: string | undefined;
  readonly isControl: boolean;
  /** Whether its words are written without escapes: a secret in it is known as one, and is not repeated. */
  readonly isPlain: boolean;
}

interface Listed {
  id: unknown;
  publicKey: unknown;
  notAfter?: unknown;
}

interface Publisher {
  keys: Listed[];
  idPrefixes: unknown;
  capabilities: unknown;
  threshold?: unknown;
  firstParty?: unknown;
}

interface Policy extends Loose {
  publishers: Record<string, Publisher>;
  revoked?: { keys?: unknown; digests?: unknown };
}

/** A secret that stands in some of the hostile policies; no refusal may repeat it. */
export const plantedSecret = "bm90IGEgcmVhbCBrZXksIG9ubHkgYSBwbGFudGVkIHNlY3I=";

function base(random: Random): Policy {
  const text = policyText(
    {
      acme: { keys: [keyOf("acme")], capabilities: ["kv:read"] },
      guild: {
        keys: ["guild one", "guild two", "guild three"].slice(0, 1 + random.below(3)).map(keyOf),
        notAfter: "2027-01-01T00:00:00Z",
        idPrefixes: ["guild-", "tools"],
        capabilities: capabilityNames.filter(() => random.chance(0.5)),
      },
    },
    { keys: [keyOf("burnt").keyId], digests: ["ab".repeat(32)] },
  );
  return JSON.parse(text) as Policy;
}

const somePublisher = (random: Random, policy: Policy): Publisher =>
  random.pick([policy.publishers["guild"] ?? nobody, policy.publishers["acme"] ?? nobody]);
/** Stands in for a publisher that an earlier change has removed. */
const nobody: Publisher = { keys: [{ id: "", publicKey: "" }], idPrefixes: [], capabilities: [] };
const someKey = (random: Random, policy: Policy) => random.pick(somePublisher(random, policy).keys);

type Way = readonly [what: string, spoil: (policy: Policy, random: Random) => void];

/** Each makes the policy say something it must not, or say it in a way that could be misread. */
const refused: readonly Way[] = [
  ["an unknown field", (policy) => void (policy["allowAll"] = true)],
  ["a field of a key", (policy, random) => void Object.assign(someKey(random, policy), { trusted: true })],
  ["a seed", (policy, random) => void Object.assign(someKey(random, policy), { seed: plantedSecret })],
  ["a private key", (policy, random) => void Object.assign(someKey(random, policy), { privateKey: plantedSecret })],
  [
    "a PEM",
    (policy, random) => {
      someKey(random, policy).publicKey = `-----BEGIN PRIVATE KEY-----\n${plantedSecret}\n-----END PRIVATE KEY-----`;
    },
  ],
  ["no publishers", (policy) => void delete (policy as Loose)["publishers"]],
  ["publishers as a list", (policy) => void ((policy as Loose)["publishers"] = [])],
  ["a publisher by a wildcard", (policy) => void (policy.publishers["*"] = policy.publishers["acme"] as Publisher)],
  ["an empty publisher id", (policy) => void (policy.publishers[""] = policy.publishers["acme"] as Publisher)],
  [
    "a key of two publishers",
    (policy) => void (policy.publishers["acme2"] = structuredClone(policy.publishers["acme"] as Publisher)),
  ],
  [
    "a key twice",
    (policy, random) => {
      const { keys } = somePublisher(random, policy);
      keys.push(structuredClone(keys[0] as Listed));
    },
  ],
  ["no key at all", (policy, random) => void (somePublisher(random, policy).keys = [])],
  ["the id of another key", (policy, random) => void (someKey(random, policy).id = keyOf("a stranger").keyId)],
  [
    "another key under the id",
    (policy, random) => void (someKey(random, policy).publicKey = keyOf("a stranger").publicKey),
  ],
  [
    "an id in upper case",
    (policy, random) => {
      const key = someKey(random, policy);
      key.id = `A${String(key.id).slice(1)}`;
    },
  ],
  [
    "base64 without padding",
    (policy, random) => {
      const key = someKey(random, policy);
      key.publicKey = String(key.publicKey).replace("=", "");
    },
  ],
  [
    "hex",
    (policy, random) => {
      const key = someKey(random, policy);
      key.publicKey = Buffer.from(String(key.publicKey), "base64").toString("hex");
    },
  ],
  [
    "a key of zeros",
    (policy, random) => void (someKey(random, policy).publicKey = Buffer.alloc(32).toString("base64")),
  ],
  ["a key that is a list", (policy, random) => void (someKey(random, policy).publicKey = [keyOf("acme").publicKey])],
  ["a threshold of 0", (policy, random) => void (somePublisher(random, policy).threshold = 0)],
  ["a negative threshold", (policy, random) => void (somePublisher(random, policy).threshold = -1)],
  ["half a threshold", (policy, random) => void (somePublisher(random, policy).threshold = 0.5)],
  ["a threshold in quotes", (policy, random) => void (somePublisher(random, policy).threshold = "1")],
  ["a threshold nobody can meet", (policy, random) => void (somePublisher(random, policy).threshold = 99)],
  ["a threshold of nothing", (policy, random) => void (somePublisher(random, policy).threshold = null)],
  ["a first-party in quotes", (policy, random) => void (somePublisher(random, policy).firstParty = "true")],
  ["a first-party of 1", (policy, random) => void (somePublisher(random, policy).firstParty = 1)],
  ["a first-party of nothing", (policy, random) => void (somePublisher(random, policy).firstParty = null)],
  ["an empty prefix", (policy, random) => void (somePublisher(random, policy).idPrefixes = [""])],
  ["a lone dash", (policy, random) => void (somePublisher(random, policy).idPrefixes = ["-"])],
  ["a wildcard", (policy, random) => void (somePublisher(random, policy).idPrefixes = ["*"])],
  ["a prefix with a path", (policy, random) => void (somePublisher(random, policy).idPrefixes = ["../acme-"])],
  ["a prefix as text", (policy, random) => void (somePublisher(random, policy).idPrefixes = "acme-")],
  ["no prefixes", (policy, random) => void delete (somePublisher(random, policy) as Partial<Publisher>).idPrefixes],
  ["a capability by a wildcard", (policy, random) => void (somePublisher(random, policy).capabilities = ["*"])],
  ["an unknown capability", (policy, random) => void (somePublisher(random, policy).capabilities = ["host:all"])],
  ["capabilities as text", (policy, random) => void (somePublisher(random, policy).capabilities = "kv:read")],
  [
    "no capabilities",
    (policy, random) => void delete (somePublisher(random, policy) as Partial<Publisher>).capabilities,
  ],
  ["a time that is none", (policy, random) => void (someKey(random, policy).notAfter = "never")],
  ["a day that does not exist", (policy, random) => void (someKey(random, policy).notAfter = "2027-02-30T00:00:00Z")],
  ["a time as a number", (policy, random) => void (someKey(random, policy).notAfter = 2 ** 40)],
  ["a time without a zone", (policy, random) => void (someKey(random, policy).notAfter = "2027-01-01T00:00:00")],
  ["no time", (policy, random) => void (someKey(random, policy).notAfter = null)],
  ["revoked keys as text", (policy) => void (policy.revoked = { keys: keyOf("acme").keyId })],
  ["a revoked key by its start", (policy) => void (policy.revoked = { keys: [keyOf("acme").keyId.slice(0, 8)] })],
  ["a revoked digest in upper case", (policy) => void (policy.revoked = { digests: ["AB".repeat(32)] })],
  ["revoked in another word", (policy) => void (policy["revoke"] = { keys: [keyOf("acme").keyId] })],
  ["revoked of nothing", (policy) => void ((policy as Loose)["revoked"] = null)],
];

/** Each leaves a policy that is well-formed and says something else; it has to be taken to the letter. */
const taken: readonly Way[] = [
  ["", (policy) => void delete (policy as Loose)["revoked"]],
  ["", (policy) => void (policy.revoked = {})],
  ["", (policy, random) => void (somePublisher(random, policy).idPrefixes = [])],
  ["", (policy, random) => void (somePublisher(random, policy).capabilities = [])],
  ["", (policy, random) => void (somePublisher(random, policy).capabilities = [...capabilityNames])],
  [
    "",
    (policy, random) => {
      const publisher = somePublisher(random, policy);
      publisher.threshold = publisher.keys.length;
    },
  ],
  ["", (policy, random) => void (somePublisher(random, policy).firstParty = true)],
  ["", (policy, random) => void (somePublisher(random, policy).firstParty = false)],
  ["", (policy, random) => void (someKey(random, policy).notAfter = "1970-01-01T00:00:00Z")],
  ["", (policy) => void (policy.revoked = { keys: [keyOf("acme").keyId, keyOf("acme").keyId] })],
  ["", (policy) => void (policy.publishers = {})],
  ["", (policy) => void delete policy.publishers["acme"]],
];

/** Texts that say one thing twice, or that two readers understand differently. */
const texts: readonly (readonly [what: string, spoil: (text: string) => string])[] = [
  ["publishers twice", (text) => text.replace(/\n\}\n$/, ',\n  "publishers": {}\n}\n')],
  ["revoked twice", (text) => text.replace("{", '{\n  "revoked": {},')],
  ["a threshold twice", (text) => text.replace('"keys"', '"threshold": 1, "threshold": 1, "keys"')],
  ["a key twice in two spellings", (text) => text.replace('"idPrefixes"', '"\\u0069dPrefixes": ["x-"], "idPrefixes"')],
  ["a prototype", (text) => text.replace('"publishers"', '"__proto__": {}, "publishers"')],
  ["a constructor", (text) => text.replace('"publishers"', '"constructor": {}, "publishers"')],
  ["a byte order mark", (text) => `\ufeff${text}`],
  ["a second document", (text) => `${text}{}`],
  ["a comment", (text) => `// all of them\n${text}`],
  ["a trailing comma", (text) => text.replace(/\n\}\n$/, ",\n}\n")],
  ["half of it", (text) => text.slice(0, text.length / 2)],
  ["nothing", () => ""],
  ["a word", () => "true"],
  ["nothing in JSON", () => "null"],
  ["a list", (text) => `[${text}]`],
  ["depth", (text) => text.replace('"publishers": ', `"publishers": ${'{"a":'.repeat(5_000)}`)],
];

export function drawPolicy(random: Random): PolicyCase {
  const policy = base(random);
  const drawn = random.next();
  if (drawn < 0.05)
    return { bytes: Buffer.from(writePlain(policy)), refusedFor: undefined, isControl: true, isPlain: true };
  let refusedFor: string | undefined;
  if (drawn < 0.2) {
    const [what, spoil] = random.pick(texts);
    return { bytes: Buffer.from(spoil(writePlain(policy))), refusedFor: what, isControl: false, isPlain: true };
  }
  if (drawn < 0.5) {
    for (let changes = random.below(3); changes > 0; changes -= 1) random.pick(taken)[1](policy, random);
  } else {
    const [what, spoil] = random.pick(refused);
    spoil(policy, random);
    refusedFor = what;
  }
  // Other spellings of the same are fine; where a name is written twice, the strict reader has to find it.
  const isPlain = random.chance(0.5);
  const text = isPlain ? writePlain(policy) : writeText(random, policy);
  return { bytes: Buffer.from(text), refusedFor, isControl: false, isPlain };
}

import type { PublisherKey } from "@gatehouse/bundle/sign";
import { signingPayload } from "@gatehouse/bundle/verify";
import { keyOf, makeBundle, policyOf, type SampleBundle, sha256 } from "./sample.ts";

/** The moment at which all generated manifests are judged. */
export const now = Date.parse("2026-11-01T00:00:00Z");

/** What each publisher may do, written down here a second time: the judge of the verdicts does not ask the engine. */
export const publishers = {
  acme: { keys: ["acme"], threshold: 1, prefix: "acme-", capabilities: ["kv:read", "log:write"] },
  guild: {
    keys: ["guild one", "guild two", "guild three"],
    threshold: 2,
    prefix: "guild-",
    capabilities: ["host:firewall", "http:egress", "kv:read"],
  },
  // Its first key is revoked; the second one still counts.
  burnt: { keys: ["burnt", "burnt anew"], threshold: 1, prefix: "burnt-", capabilities: ["kv:read"] },
  late: { keys: ["late"], threshold: 1, prefix: "late-", capabilities: ["kv:read"] },
} as const;

const revokedArtifact = Buffer.from("the artifact that was withdrawn");
export const revokedDigest = sha256(revokedArtifact);
/** Keys whose signatures never count: one is revoked, one is no longer valid. */
export const spentKeys: ReadonlySet<string> = new Set([keyOf("burnt").keyId, keyOf("late").keyId]);

export const policy = policyOf(
  {
    acme: { keys: [keyOf("acme")], capabilities: ["kv:read", "log:write"] },
    guild: {
      keys: publishers.guild.keys.map(keyOf),
      threshold: 2,
      capabilities: ["host:firewall", "http:egress", "kv:read"],
    },
    burnt: { keys: publishers.burnt.keys.map(keyOf), capabilities: ["kv:read"] },
    late: { keys: [keyOf("late")], notAfter: "2026-10-31T23:59:59Z", capabilities: ["kv:read"] },
  },
  { keys: [keyOf("burnt").keyId], digests: [revokedDigest] },
);

/** Bundles that are accepted as they are: without them, a verifier that refuses everything would pass. */
export const good: readonly SampleBundle[] = [
  makeBundle({ id: "acme-one" }),
  makeBundle({ id: "acme-two", version: "2.0.0-rc.1", capabilities: ["kv:read", "log:write"] }),
  makeBundle(
    {
      id: "guild-rich",
      publisher: "guild",
      name: "Größe 😀",
      capabilities: ["host:firewall", "http:egress", "kv:read"],
      egress: { hosts: ["a.example.org"] },
      contributions: {
        nav: [{ component: "netguard.firewall", title: "Rules", path: "/apps/guild-rich", scope: "node:read" }],
        enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }],
      },
      expiresAt: "2027-01-01T00:00:00Z",
    },
    [keyOf("guild one"), keyOf("guild three")],
  ),
  makeBundle({ id: "burnt-one", publisher: "burnt" }, [keyOf("burnt"), keyOf("burnt anew")]),
  // A signature by somebody else is shown and counts for nothing.
  makeBundle({ id: "acme-shared" }, [keyOf("acme"), keyOf("a stranger")]),
];

/** Bundles that are refused as they are, each for one reason. */
export const bad: readonly SampleBundle[] = [
  makeBundle({ id: "acme-unsigned" }, []),
  makeBundle({ id: "acme-stranger" }, [keyOf("a stranger")]),
  makeBundle({ id: "acme-guild" }, publishers.guild.keys.map(keyOf)),
  makeBundle({ id: "guild-alone", publisher: "guild" }, [keyOf("guild one")]),
  makeBundle({ id: "guild-outside", publisher: "guild" }, [keyOf("guild one"), keyOf("a stranger")]),
  makeBundle({ id: "burnt-spent", publisher: "burnt" }, [keyOf("burnt")]),
  makeBundle({ id: "late-one", publisher: "late" }, [keyOf("late")]),
  makeBundle({ id: "nobody-one", publisher: "nobody" }, [keyOf("acme")]),
  makeBundle({ id: "acme-reaching", capabilities: ["host:firewall"] }),
  makeBundle({ id: "other-one" }),
  makeBundle({ id: "acme-wasm", runner: "wasm" }),
  makeBundle({ id: "acme-expired", expiresAt: "2026-11-01T00:00:00Z" }),
  makeBundle({ id: "acme-withdrawn" }, [keyOf("acme")], revokedArtifact),
];

/** Every signature that exists: key and payload to the one signature Ed25519 has for them. */
export class SignatureBook {
  readonly #made = new Map<string, string>();

  note(keyId: string, payloadSha256: string, ed25519: string): void {
    this.#made.set(`${keyId} ${payloadSha256}`, ed25519);
  }

  find(keyId: string, payloadSha256: string): string | undefined {
    return this.#made.get(`${keyId} ${payloadSha256}`) ?? published.#made.get(`${keyId} ${payloadSha256}`);
  }
}

/** The signatures of the bundles above, which everybody can read. */
export const published = new SignatureBook();
for (const { manifest } of [...good, ...bad]) {
  const digest = sha256(signingPayload(manifest));
  for (const { keyId, ed25519 } of manifest.signatures) published.note(keyId, digest, ed25519);
}

/** Keys that anybody in this play can sign with, the attacker's own among them. */
export const signingKeys: readonly PublisherKey[] = [
  "acme",
  "guild one",
  "guild two",
  "burnt",
  "burnt anew",
  "late",
  "a stranger",
].map(keyOf);

import { createHash } from "node:crypto";
import type { PublisherKey } from "../sign/index.ts";
import { keyEnds, vectorKeys } from "./vector-keys.ts";

const trusted = (key: PublisherKey, notAfter?: string) => ({
  id: key.keyId,
  publicKey: key.publicKey,
  ...(notAfter === undefined ? {} : { notAfter }),
});

const { first, second, third, revoked, old, other } = vectorKeys;

/** An artifact whose digest the usual policy revokes. */
export const revokedArtifact = Buffer.from("#!/bin/sh\necho these bytes are revoked\n");

const usual = {
  publishers: {
    acme: {
      keys: [trusted(first), trusted(second), trusted(revoked), trusted(old, keyEnds)],
      idPrefixes: ["acme-", "lines"],
      capabilities: ["kv:read", "kv:write", "log:write", "http:egress", "host:firewall"],
    },
    other: { keys: [trusted(other)], idPrefixes: ["other-"], capabilities: [] },
  },
  revoked: {
    keys: [revoked.keyId],
    digests: [createHash("sha256").update(revokedArtifact).digest("hex")],
  },
};

const twoOfThree = {
  publishers: {
    acme: {
      keys: [trusted(first), trusted(second), trusted(third)],
      idPrefixes: ["acme-"],
      capabilities: ["kv:read"],
      threshold: 2,
      // Whose pages and surfaces a plugin may use is no part of the verdict.
      firstParty: true,
    },
  },
};

/** The trust policies of the vectors, as the files that hold them. */
export const vectorPolicies = {
  "trust/usual.json": usual,
  "trust/two-of-three.json": twoOfThree,
  "trust/empty.json": { publishers: {} },
} as const;

export type PolicyPath = keyof typeof vectorPolicies;

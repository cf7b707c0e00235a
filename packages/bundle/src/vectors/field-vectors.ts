import { serialiseManifest } from "../verify/index.ts";
import { vectorKeys } from "./vector-keys.ts";
import { artifactFieldOf, fieldsOf, signed, signFields, type Vector, vectorArtifact } from "./vector.ts";

const invalid = (name: string, says: string, changes: Readonly<Record<string, unknown>>): Vector => ({
  name: `invalid-${name}`,
  says,
  code: "bundle.manifest_invalid",
  manifest: signed(changes),
});

const nav = (changes: Readonly<Record<string, unknown>>) => ({
  contributions: {
    nav: [{ component: "wireguard.mesh", title: "Mesh", path: "/apps/acme-lines", ...changes }],
    enhancements: [],
  },
});

const withSignatures = (name: string, says: string, change: (signatures: readonly Signature[]) => unknown): Vector => {
  const { signatures, ...fields } = signFields(fieldsOf(), [vectorKeys.first, vectorKeys.second]);
  return {
    name: `invalid-${name}`,
    says,
    code: "bundle.manifest_invalid",
    manifest: serialiseManifest({ ...fields, signatures: change(signatures as readonly Signature[]) }),
  };
};

interface Signature {
  readonly keyId: string;
  readonly ed25519: string;
}

/** Well-signed manifests, each with one field that schema 1 does not allow. */
export const fieldVectors: readonly Vector[] = [
  invalid("extra-field", "A field that does not exist.", { comment: "hello" }),
  invalid("missing-field", "A field is missing.", { runner: undefined }),
  invalid("id", "An id that would be a path.", { id: "../acme" }),
  invalid("publisher", "A publisher's name with a capital letter.", { publisher: "Acme" }),
  invalid("name-two-lines", "A name of two lines.", { name: "Lines\nTrusted by Gatehouse" }),
  invalid("name-direction", "A name that turns the direction of writing.", { name: "Lines\u202egnp" }),
  invalid("name-blank", "A name that ends in a blank.", { name: "Lines " }),
  invalid("name-long", "A name of 81 characters.", { name: "\u{1f310}".repeat(81) }),
  invalid("version", "A version of two numbers.", { version: "1.0" }),
  invalid("version-build", "A version with build metadata.", { version: "1.0.0+build.7" }),
  invalid("version-zero", "A version with a leading zero.", { version: "1.02.0" }),
  invalid("runner", "A runner that does not exist.", { runner: "shell" }),
  invalid("capability-order", "Capabilities that are not sorted.", { capabilities: ["kv:write", "kv:read"] }),
  invalid("capability-twice", "A capability twice.", { capabilities: ["kv:read", "kv:read"] }),
  invalid("capability-number", "A capability that is no text.", { capabilities: [1] }),
  invalid("digest", "A digest in capitals.", {
    artifact: { ...artifactFieldOf(vectorArtifact), sha256: artifactFieldOf(vectorArtifact).sha256.toUpperCase() },
  }),
  invalid("size-zero", "An empty artifact.", { artifact: artifactFieldOf(new Uint8Array()) }),
  invalid("size-large", "An artifact beyond 128 MiB.", {
    artifact: { ...artifactFieldOf(vectorArtifact), size: 134_217_729 },
  }),
  invalid("egress-without-capability", "Hosts without http:egress.", { egress: { hosts: ["example.com"] } }),
  invalid("egress-without-hosts", "http:egress without hosts.", { capabilities: ["http:egress"] }),
  invalid("egress-empty", "http:egress with an empty list of hosts.", {
    capabilities: ["http:egress"],
    egress: { hosts: [] },
  }),
  invalid("egress-address", "An address in place of a host name.", {
    capabilities: ["http:egress"],
    egress: { hosts: ["127.0.0.1"] },
  }),
  invalid("egress-port", "A host with a port.", {
    capabilities: ["http:egress"],
    egress: { hosts: ["example.com:8080"] },
  }),
  invalid("egress-order", "Hosts that are not sorted.", {
    capabilities: ["http:egress"],
    egress: { hosts: ["b.example.com", "a.example.com"] },
  }),
  invalid("nav-path-of-ours", "A page in the place of one of ours.", nav({ path: "/settings" })),
  invalid("nav-path-of-another", "A page below the id of another plugin.", nav({ path: "/apps/acme-lines-2" })),
  invalid("nav-path-dots", "A path that leads upwards.", nav({ path: "/apps/acme-lines/../../login" })),
  invalid("nav-path-slash", "A path that ends in a slash.", nav({ path: "/apps/acme-lines/" })),
  invalid("nav-path-twice", "Two pages on one path.", {
    contributions: { nav: [...nav({}).contributions.nav, ...nav({}).contributions.nav], enhancements: [] },
  }),
  invalid("nav-scope", "A scope that does not exist.", nav({ scope: "root" })),
  invalid("nav-icon", "An icon that is an address.", nav({ icon: "https://example.com/x.svg" })),
  invalid("component", "A component key that is a path.", nav({ component: "./evil.js" })),
  invalid("surface", "A surface that does not exist.", {
    contributions: { nav: [], enhancements: [{ surface: "login", component: "wireguard.lines" }] },
  }),
  invalid("expiry-day", "An expiry on a day that does not exist.", { expiresAt: "2027-02-30T00:00:00Z" }),
  invalid("expiry-zone", "An expiry in another spelling.", { expiresAt: "2027-01-01T00:00:00+00:00" }),
  withSignatures("signature-order", "Signatures that are not sorted by key.", (list) => list.toReversed()),
  withSignatures("signature-twice", "Two signatures by one key.", (list) => [...list.slice(0, 1), ...list.slice(0, 1)]),
  withSignatures("signature-many", "Nine signatures.", (list) =>
    Array.from({ length: 9 }, (_, index) => ({ ...list[0], keyId: String(index).repeat(32) })),
  ),
  withSignatures("signature-spelling", "A signature in base64 with spare bits set.", ([one]) => [
    { ...one, ed25519: one?.ed25519.replace(/.==$/, "B==") },
  ]),
  withSignatures("signature-unpadded", "A signature in base64 without padding.", ([one]) => [
    { ...one, ed25519: one?.ed25519.replace("==", "") },
  ]),
  withSignatures("signature-short", "A signature of 63 bytes.", ([one]) => [
    { ...one, ed25519: Buffer.alloc(63).toString("base64") },
  ]),
];

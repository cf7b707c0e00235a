import { serialiseManifest } from "../verify/index.ts";
import { keyEnds, vectorKeys, vectorNow } from "./vector-keys.ts";
import { revokedArtifact } from "./vector-policies.ts";
import { artifactFieldOf, fieldsOf, signed, signFields, type Vector, vectorArtifact, withText } from "./vector.ts";

const { first, second, revoked, old, other, stranger } = vectorKeys;

/** The order of the group: adding it to S gives a second spelling of one signature, which RFC 8032 refuses. */
const groupOrder = 2n ** 252n + 27742317777372353535851937790883648493n;

/** Bundles that are well made, and are not trusted. */
export const trustVectors: readonly Vector[] = [
  {
    name: "id-mismatch",
    says: "The directory has another name than the manifest's id.",
    code: "bundle.id_mismatch",
    manifest: signed(),
    directory: "acme-line",
  },
  { name: "unsigned", says: "An empty list of signatures.", code: "bundle.unsigned", manifest: signed({}, []) },
  {
    name: "unsigned-absent",
    says: "No list of signatures.",
    code: "bundle.unsigned",
    manifest: serialiseManifest(fieldsOf()),
  },
  {
    name: "publisher-unknown",
    says: "A publisher the policy does not name.",
    code: "bundle.publisher_not_trusted",
    manifest: signed({ publisher: "nobody" }),
  },
  {
    name: "publisher-policy-empty",
    says: "A policy that trusts nobody.",
    code: "bundle.publisher_not_trusted",
    manifest: signed(),
    policy: "trust/empty.json",
  },
  {
    name: "publisher-key-unknown",
    says: "Signed by a key the policy does not name.",
    code: "bundle.publisher_not_trusted",
    manifest: signed({}, [stranger]),
  },
  {
    name: "publisher-key-of-another",
    says: "Signed by a key of another trusted publisher.",
    code: "bundle.publisher_not_trusted",
    manifest: signed({}, [other]),
  },
  {
    name: "key-revoked",
    says: "Signed by a revoked key alone.",
    code: "bundle.key_revoked",
    manifest: signed({}, [revoked]),
  },
  {
    name: "key-expired",
    says: `Signed by a key that was valid until ${keyEnds}.`,
    code: "bundle.key_expired",
    manifest: signed({}, [old]),
  },
  {
    name: "key-expired-and-revoked",
    says: "One key is revoked and the other has expired.",
    code: "bundle.key_expired",
    manifest: signed({}, [old, revoked]),
  },
  {
    name: "signature-other-name",
    says: "A field was changed after signing.",
    code: "bundle.invalid_signature",
    manifest: withText(signed(), '"Lines"', '"Lime"'),
  },
  {
    name: "signature-other-contribution",
    says: "A contribution was added after signing.",
    code: "bundle.invalid_signature",
    manifest: serialiseManifest({
      ...signFields(fieldsOf()),
      contributions: { nav: [], enhancements: [{ surface: "fleet.map", component: "wireguard.lines" }] },
    }),
  },
  {
    name: "signature-other-digest",
    says: "The digest was exchanged after signing.",
    code: "bundle.invalid_signature",
    manifest: serialiseManifest({ ...signFields(fieldsOf()), artifact: artifactFieldOf(revokedArtifact) }),
    artifact: revokedArtifact,
  },
  {
    name: "signature-of-another-manifest",
    says: "The signature of another version.",
    code: "bundle.invalid_signature",
    manifest: serialiseManifest({
      ...fieldsOf(),
      signatures: signFields(fieldsOf({ version: "0.9.0" }))["signatures"],
    }),
  },
  {
    name: "signature-zero",
    says: "A signature of zeros.",
    code: "bundle.invalid_signature",
    manifest: serialiseManifest({
      ...fieldsOf(),
      signatures: [{ keyId: first.keyId, ed25519: Buffer.alloc(64).toString("base64") }],
    }),
  },
  {
    name: "signature-second-spelling",
    says: "S is not below the order of the group.",
    code: "bundle.invalid_signature",
    manifest: withOtherSpelling(signFields(fieldsOf())),
  },
  {
    name: "signature-one-of-two-wrong",
    says: "One good signature beside one that does not fit, both by keys that count.",
    code: "bundle.invalid_signature",
    manifest: serialiseManifest({
      ...fieldsOf(),
      signatures: mixed(),
    }),
  },
  {
    name: "threshold-not-met",
    says: "One of three keys has signed, and two are asked for.",
    code: "bundle.threshold_not_met",
    manifest: signed({}, [first]),
    policy: "trust/two-of-three.json",
  },
  {
    name: "threshold-by-a-stranger",
    says: "The second signature is by a key the policy does not know, so it does not count.",
    code: "bundle.threshold_not_met",
    manifest: signed({}, [first, stranger]),
    policy: "trust/two-of-three.json",
  },
  {
    name: "id-outside-prefixes",
    says: "An id of another publisher.",
    code: "bundle.id_outside_prefixes",
    manifest: signed({ id: "other-lines" }),
    directory: "other-lines",
  },
  {
    name: "id-longer-than-whole-id",
    says: "The policy names the whole id lines, and this one is longer.",
    code: "bundle.id_outside_prefixes",
    manifest: signed({ id: "lines-2" }),
    directory: "lines-2",
  },
  {
    name: "capability-beyond-ceiling",
    says: "A capability that exists, and that this publisher may not ask for.",
    code: "bundle.capability_beyond_ceiling",
    manifest: signed({ capabilities: ["host:binary"] }),
  },
  {
    name: "runner-not-enabled",
    says: "The runner worker, where only system is enabled.",
    code: "bundle.runner_not_enabled",
    manifest: signed({ runner: "worker" }),
  },
  {
    name: "host-risk-refused",
    says: "A host-risk capability with another runner than system, although that is enabled.",
    code: "bundle.host_risk_refused",
    manifest: signed({ runner: "worker", capabilities: ["host:firewall"] }),
    enabledRunners: ["system", "worker"],
  },
  {
    name: "expired",
    says: "It expires at the very moment at which it is judged.",
    code: "bundle.expired",
    manifest: signed({ expiresAt: vectorNow }),
  },
  {
    name: "artifact-size",
    says: "The artifact is one byte longer than the manifest says.",
    code: "bundle.artifact_digest_mismatch",
    manifest: signed(),
    artifact: Buffer.concat([vectorArtifact, Buffer.from("\n")]),
  },
  {
    name: "artifact-digest",
    says: "One byte of the artifact is another.",
    code: "bundle.artifact_digest_mismatch",
    manifest: signed(),
    artifact: Buffer.from("#!/bin/sh\necho jello\n"),
  },
  {
    name: "digest-revoked",
    says: "The artifact is the signed one, and the policy revokes its digest.",
    code: "bundle.digest_revoked",
    manifest: signed({ artifact: artifactFieldOf(revokedArtifact) }),
    artifact: revokedArtifact,
  },
];

function mixed(): unknown[] {
  const good = signFields(fieldsOf(), [first])["signatures"] as unknown[];
  const wrong = signFields(fieldsOf({ version: "0.9.0" }), [second])["signatures"] as unknown[];
  const both = [...good, ...wrong] as { keyId: string }[];
  return both.sort((a, b) => (a.keyId < b.keyId ? -1 : 1));
}

function withOtherSpelling(fields: Readonly<Record<string, unknown>>): Uint8Array {
  const [{ keyId, ed25519 }] = fields["signatures"] as [{ keyId: string; ed25519: string }];
  const bytes = Buffer.from(ed25519, "base64");
  const s = BigInt(`0x${Buffer.from(bytes.subarray(32)).reverse().toString("hex")}`) + groupOrder;
  const spelled = Buffer.from(s.toString(16).padStart(64, "0"), "hex").reverse();
  const other = Buffer.concat([bytes.subarray(0, 32), spelled]).toString("base64");
  return serialiseManifest({ ...fields, signatures: [{ keyId, ed25519: other }] });
}

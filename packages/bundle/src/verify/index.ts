/**
 * Verify: owns what a bundle and a trust policy are, and the one verdict on whether a bundle is trusted.
 * Never signs, never writes, and never runs what it judges.
 */
export { keyIdOf } from "@gatehouse/keys";
export { serialiseManifest, signingPayload } from "./byte-form.ts";
export { type JudgeInput, judgeBundle } from "./judge-bundle.ts";
export type { VerifyInput } from "./judgement.ts";
export { bundleLimits, trustLimits } from "./limits.ts";
export { type Entries, listEntries } from "./list-entries.ts";
export { type Manifest, type ManifestReading, readManifest } from "./manifest.ts";
export { artifactName, manifestName, type OpenBundle, openBundle } from "./open-bundle.ts";
export { printable } from "./printable.ts";
export {
  emptyTrustPolicy,
  parseTrustPolicy,
  type TrustedKey,
  type TrustedPublisher,
  type TrustPolicy,
} from "./trust-policy.ts";
export {
  type BundleRefusal,
  type Check,
  type CheckName,
  checkNames,
  refuseUnopened,
  type Verdict,
  type VerifiedBundle,
  verifyBundle,
} from "./verify-bundle.ts";

/**
 * Verify: owns whom a host believes: trust files, SSH signatures, and the one verdict on whether a plan was approved.
 * Never signs, never reads a clock or a file, and never remembers what was used.
 */
export { type ApprovalScene, type JointApproval, wordLimits } from "./approval-checks.ts";
export {
  type JudgedApproval,
  judgeApprovals,
  judgeOffer,
  neededPersons,
  type OfferScene,
  readOffer,
} from "./judge-approvals.ts";
export { judgeOrder, type OrderScene } from "./judge-order.ts";
export { approverKeyId, type LoadedSshKey, loadSshKey, parseSshKeyLine, sshFingerprint } from "./load-ssh-key.ts";
export {
  firstTrust,
  type NewPerson,
  parseTrust,
  type TrustedPublisherKey,
  type Trust,
  trustDigest,
  type TrustedPerson,
} from "./trust.ts";
export { type PinnedKey, verifySshSig } from "./verify-sshsig.ts";

/**
 * Plan: the plan document, its one byte form, its digests, and the closed set of operations it can hold; browser-safe.
 * Never touches a host, never hashes by itself, never holds a private key.
 */
export {
  address,
  findAddress,
  findNetwork,
  findPrefix,
  network,
  networksIn,
  networksOf,
  overlaps,
  prefix,
  type Prefix,
  writeAddress,
  writePrefix,
} from "./addresses.ts";
export {
  type ArtifactFacts,
  artifactMessage,
  nameOfArtifact,
  binaryFacts,
  releaseFacts,
  releaseName,
} from "./artifact-facts.ts";
export { elfHeadBytes, findForeignElf } from "./elf-head.ts";
export { artifactOf } from "./operations/artifact-of-operation.ts";
export {
  parsePlan,
  parsePlanInTurns,
  parsePlanSection,
  type PlanReading,
  readOwnSection,
  readPlanDraft,
  serialisePlan,
} from "./byte-form.ts";
export { type CapabilityGap, findCapabilityGaps } from "./capability-needs.ts";
export { findStrayNodes } from "./stray-nodes.ts";
export { mostComparedLines, type PlanDiffLine } from "./diff-lines.ts";
export {
  digestDomains,
  draftDigest,
  headerDigest,
  headerMessage,
  inputDigest,
  planDigest,
  planDigestOf,
  planMessage,
  sectionDigest,
  sectionMessage,
  stateDigest,
} from "./digest.ts";
export {
  type HostPlaces,
  type HostWork,
  usualPlaces,
  workLines,
  workSteps,
  type WorkStep,
} from "./host-work.ts";
export { interfaceName, port, wireguardKey } from "./fields.ts";
export {
  type LintAround,
  type LintCode,
  lintCodes,
  type LintFinding,
  type LintPacket,
  packetWords,
} from "./lint-finding.ts";
export { lintPlan, lintSection, type NodeFinding, type SectionFinding } from "./lint-plan.ts";
export type { OperationDescriptor } from "./operations/descriptor.ts";
export { agentWords } from "./operations/agent-work.ts";
export { firewallApply } from "./operations/firewall/firewall-apply.ts";
export { findFirewallOf } from "./operations/firewall/firewall-of-state.ts";
export type { FirewallApply, FirewallChain } from "./operations/firewall/firewall-table.ts";
export { findKeepFlaw, findKeepLoss, type KeepEntry, parseKeep } from "./operations/firewall/keep.ts";
export { nftFiles, nftWords } from "./operations/firewall/nft-words.ts";
export { renderFirewall } from "./operations/firewall/render.ts";
export type { FirewallRule } from "./operations/firewall/rule.ts";
export { diffOperation, lintOperation, operationTitle, wordsOf, workOfOperation } from "./operations/review.ts";
export { type RiskClass, riskOfOperation } from "./operations/risk-of-operation.ts";
export type { LogTail } from "./operations/log-tail.ts";
export { isReadBySystemd, journalWords, logWords, systemctlWords } from "./operations/systemd-words.ts";
export {
  capabilityOfOperation,
  type Operation,
  operation,
  type OperationKind,
  operationKinds,
  lintReadsOf,
  operations,
  planSchemaOf,
  subjectOf,
} from "./operations/table.ts";
export { newBinaryRights } from "./operations/binary-replace.ts";
export { interfaceLinkOf, type WireguardLink } from "./operations/wireguard/interface-of.ts";
export { findKeepTaken } from "./operations/wireguard/keep.ts";
export { networkWireguard } from "./operations/wireguard/network-wireguard.ts";
export { findTunnelFlaw, hasRoomFor, isForHosts, privateNetworks } from "./operations/wireguard/tunnel-networks.ts";
export {
  isLinkLocal,
  type NetworkWireguard,
  tunnelNetworks,
  tunnelRanges,
  wireguardName,
} from "./operations/wireguard/wireguard-interface.ts";
export {
  ipWords,
  wgWords,
  wireguardFiles,
  wireguardGoVersion,
  wireguardGoWords,
  wireguardModuleWords,
  modprobeWords,
  wireguardUnit,
} from "./operations/wireguard/wireguard-words.ts";
export { equalsRootAt, isWithin, realName, rootPaths } from "./root-paths.ts";
export { aroundOfTold, hostKeysOf, keyHostsOf, peerKeysOf, publicKeyOfTold, type ToldPart } from "./told-around.ts";
export { hexDigest, type Sha256 } from "./sha256.ts";
export {
  type AgentState,
  agentState,
  agentSubject,
  type FileState,
  fileState,
  type FirewallState,
  firewallState,
  type ServiceState,
  serviceState,
  type SshState,
  sshState,
  sshSubject,
  type TrustState,
  trustState,
  trustSubject,
  type WireguardState,
  wireguardState,
} from "./states.ts";
export {
  renderConfiguration,
  type RenderedPeer,
  renderLink,
  renderLinkLines,
  renderWireguard,
} from "./operations/wireguard/render.ts";
export {
  type DraftSection,
  draftSection,
  type FindState,
  finishPlan,
  type PlanDocument,
  type PlanDraft,
  type PlanHeader,
  planDocument,
  planDraft,
  planHeader,
  planLimits,
  type PlanSection,
  planSection,
  planSource,
  type PlanSource,
  type Precondition,
  precondition,
  subjectsOf,
} from "./plan-document.ts";

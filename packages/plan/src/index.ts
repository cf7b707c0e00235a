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
  networksOf,
  overlaps,
  prefix,
  type Prefix,
  writeAddress,
} from "./addresses.ts";
export { parsePlan, type PlanReading, readPlanDraft, serialisePlan } from "./byte-form.ts";
export { type CapabilityGap, findCapabilityGaps } from "./capability-needs.ts";
export {
  digestDomains,
  headerDigest,
  headerMessage,
  inputDigest,
  planDigest,
  planDigestOf,
  planMessage,
  sectionDigest,
  sectionMessage,
  type Sha256,
  stateDigest,
} from "./digest.ts";
export { hostName, interfaceName, port, wireguardKey } from "./fields.ts";
export type { OperationDescriptor } from "./operations/descriptor.ts";
export { type FirewallApply, firewallApply } from "./operations/firewall/firewall-apply.ts";
export { renderFirewall } from "./operations/firewall/render.ts";
export type { FirewallRule } from "./operations/firewall/rule.ts";
export {
  capabilityOfOperation,
  type Operation,
  operation,
  type OperationKind,
  operationKinds,
  operations,
  subjectOf,
} from "./operations/table.ts";
export { type NetworkWireguard, networkWireguard } from "./operations/wireguard/network-wireguard.ts";
export { renderWireguard } from "./operations/wireguard/render.ts";
export {
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
} from "./plan-document.ts";

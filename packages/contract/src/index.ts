/**
 * Contract: all that crosses a wire or is written down for others, as schemas and tables; browser-safe.
 * Never imports a Node module, never does input or output.
 */
export { type FaultCode, fault, faults, isFault } from "./faults.ts";
export { nearestName } from "./nearest-name.ts";
export { type Environment, readSettings } from "./read-settings.ts";
export type { BurstRate, ListenAddress, TrustSource } from "./setting-values.ts";
export { type Setting, type SettingName, type SettingValues, settingNames, settings } from "./settings.ts";
export { type Problem, problemMediaType, problemSchema, problemType } from "./problem.ts";
export type { Access, Method, NodeReach, ResponseSpec, RouteSpec } from "./route.ts";
export { type ChangeEvent, changeEvent, eventsRoute } from "./routes-events.ts";
export {
  cspReportsRoute,
  healthRoute,
  metricsRoute,
  openApiRoute,
  readyRoute,
  versionRoute,
} from "./routes-system.ts";
export { judgePassword, normalisePassword, passwordLimits } from "./password-rules.ts";
export {
  type AuditAction,
  type AuditDetail,
  type AuditEntry,
  type AuditFacts,
  type AuditNoun,
  auditActionNames,
  auditActions,
} from "./audit-actions.ts";
export { type AuditEntryView, auditEntry, auditRoute, auditVerifyRoute, auditWitnessRoute } from "./routes-audit.ts";
export {
  endOtherSessionsRoute,
  endSessionRoute,
  loginRoute,
  logoutRoute,
  passwordRoute,
  type Session,
  session,
  sessionsRoute,
  stepUpRoute,
  type WhoAmI,
  whoAmI,
  whoAmIRoute,
} from "./routes-auth.ts";
export {
  issuedToken,
  issueTokenRoute,
  revokeTokenRoute,
  type Token,
  token,
  tokenLifetimes,
  tokensRoute,
} from "./routes-tokens.ts";
export {
  changeUserRoute,
  createUserRoute,
  removeUserRoute,
  type User,
  user,
  userRoute,
  usersRoute,
} from "./routes-users.ts";
export { isScope, type Role, roles, type Scope, scopeNames, scopes, scopesOfRole } from "./scopes.ts";
export { type TokenClass, scopesOfTokenClass, tokenClasses } from "./token-classes.ts";
export { findTokenId, joinToken, tokenAlphabets, tokenForm, tokenLengths } from "./token-format.ts";
export { parseUsername, usernameForm } from "./username.ts";
export {
  type Capability,
  type CapabilityRisk,
  capabilities,
  capabilityNames,
  capabilityRisks,
  isCapability,
  isHostRisk,
} from "./capabilities.ts";
export { type ComponentKey, componentKeys, isComponentKey, type Surface, surfaces } from "./component-keys.ts";
export {
  keyId,
  keyIdPattern,
  type LifecycleState,
  lifecycleStates,
  pluginId,
  pluginIdPattern,
  type RunnerName,
  runnerNames,
  sha256Hex,
  sha256Pattern,
} from "./plugin-names.ts";
export {
  type ActiveContribution,
  activeContribution,
  type BundleCheck,
  type BundleRejection,
  type BundleVerdict,
  bundleCheck,
  bundleRejection,
  bundleVerdict,
  contributionsRoute,
  hiddenReasons,
  movePluginRoute,
  type Plugin,
  type PluginContribution,
  plugin,
  pluginChange,
  pluginContribution,
  pluginRuntime,
  pluginsRoute,
  pluginVersion,
  runtimeStates,
  sandboxLevels,
  trustedPublisher,
  trustRoute,
  verifyPluginRoute,
} from "./routes-plugins.ts";
export { type BrokerFaultCode, brokerFaults } from "./broker-faults.ts";
export {
  type BrokerMethod,
  type BrokerParams,
  type BrokerResult,
  brokerLimits,
  brokerMethodNames,
  brokerMethods,
  isBrokerMethod,
} from "./broker-methods.ts";
export {
  type ActionAnswer,
  type ActionRequest,
  actionAnswer,
  actionId,
  actionRequest,
  type BrokerAnswer,
  type BrokerCall,
  brokerAnswer,
  brokerCall,
  brokerErrorNumber,
  protocolJsonLimits,
} from "./broker-protocol.ts";
export {
  type ActionName,
  actionLimits,
  actionNames,
  type DescribeResult,
  describeResult,
  type HealthResult,
  healthResult,
  healthStatuses,
  isActionName,
  type MapLine,
  mapLine,
  mapLineStates,
  visibleText,
} from "./plugin-actions.ts";
export { nodeId } from "./node-id.ts";
export { parseAddress } from "./address-range.ts";
export { marketplaceEntry, marketplaceRoute } from "./routes-marketplace.ts";
export { type ActionReport, actionReport, invokePluginRoute } from "./routes-plugin-actions.ts";

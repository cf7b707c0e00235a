/**
 * Routes: every row of the API and every WebSocket, with the closed forms of their requests and answers.
 * Never says how a row is served.
 */
export { type Problem, problemMediaType, problemSchema, problemType } from "./problem.ts";
export type { Access, BodyStreamSpec, Method, NodeReach, Proof, ResponseSpec, RouteSpec, StepUp } from "./route.ts";
export {
  acknowledgeAlertRoute,
  type Alert,
  alert,
  type AlertRule,
  alertRule,
  alertRuleId,
  alertRuleRoute,
  alertRulesRoute,
  type AlertSilence,
  alertSilence,
  alertSilencesRoute,
  alertsRoute,
  changeAlertRuleRoute,
  createAlertRuleRoute,
  createAlertSilenceRoute,
  removeAlertRuleRoute,
  removeAlertSilenceRoute,
} from "./routes-alerts.ts";
export {
  type AnnouncedArtifact,
  announceArtifactRoute,
  announcedArtifact,
  type Artifact,
  artifact,
  artifactBytes,
  artifactContentRoute,
  artifactRoute,
  artifactsRoute,
  putArtifactPartRoute,
  removeArtifactRoute,
} from "./routes-artifacts.ts";
export {
  type AuditEntryView,
  auditCheckRoute,
  auditEntry,
  auditRoute,
  auditVerifyRoute,
  auditWitnessesRoute,
  auditWitnessRoute,
  type AuditWitnessView,
} from "./routes-audit.ts";
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
  agentBinariesRoute,
  createEnrolmentsRoute,
  downloadAgentRoute,
  type Enrolment,
  enrolHostRoute,
  enrolment,
  enrolmentLifetimes,
  enrolmentsAtOnce,
  enrolmentsRoute,
  enrolmentStates,
  type NewEnrolment,
  newEnrolment,
  revokeEnrolmentRoute,
} from "./routes-enrolments.ts";
export {
  type DriftDifference,
  type DriftedPart,
  driftDifference,
  driftDifferenceRoute,
  driftedPart,
  type NodeDrift,
  nodeDrift,
  nodeDriftRoute,
  planDriftRoute,
} from "./routes-drift.ts";
export { type ChangeEvent, changeEvent, eventsRoute } from "./routes-events.ts";
export {
  type HostLogCounts,
  type HostLogLine,
  hostLogCounts,
  hostLogCountsRoute,
  hostLogLine,
  hostLogsRoute,
  listOfTexts,
} from "./routes-host-logs.ts";
export {
  mapLinesRoute,
  type NodePlace,
  nodePlace,
  type PlaceLookup,
  type PluginLines,
  placeLookup,
  placesRoute,
  pluginLines,
} from "./routes-map.ts";
export { marketplaceEntry, marketplaceRoute } from "./routes-marketplace.ts";
export {
  type MetricPoint,
  metricPoint,
  type NodeMetrics,
  nodeMetrics,
  nodeMetricsRoute,
} from "./routes-metrics.ts";
export {
  type AgentBinary,
  agentBinary,
  changeNodeRoute,
  type Node,
  node,
  nodeRoute,
  nodesRoute,
  removeNodeRoute,
} from "./routes-nodes.ts";
export { type NodeState, nodeStates } from "../node-names.ts";
export {
  type Overview,
  type OverviewItem,
  type OverviewList,
  overview,
  overviewItem,
  overviewRoute,
  overviewSubjects,
} from "./routes-overview.ts";
export {
  createPlanRoute,
  type Plan,
  type PlanFinding,
  plan,
  planDocumentRoute,
  planFinding,
  planLifetimes,
  planQuestionRoute,
  planRoute,
  type PlanSectionView,
  planSectionsRoute,
  planSectionView,
  plansRoute,
  rejectPlanRoute,
  reviewPlanRoute,
  undoPlanRoute,
  withdrawPlanRoute,
} from "./routes-plans.ts";
export {
  type AcceptsMode,
  acceptsModes,
  orderMinutes,
  planApproval,
  type PlanApprovalView,
  rollbackWindows,
} from "./plan-approval.ts";
export {
  applyPlanRoute,
  approvePlanRoute,
  haltPlanRoute,
  planApprovalsRoute,
  type PlanSignature,
  planSignature,
  type PlanTask,
  planTask,
  planTasksRoute,
  type PlanWave,
  planWave,
  type PlanWaves,
  planWavesRoute,
} from "./routes-plan-runs.ts";
export {
  changeSettingsRoute,
  plansStopRoute,
  type ServerSettings,
  serverSettings,
  settingsRoute,
  stopPlansRoute,
} from "./routes-settings.ts";
export {
  type ActionReport,
  actionReport,
  invokePluginRoute,
  type KnownAnswer,
  knownAnswer,
  pluginAnswersRoute,
} from "./routes-plugin-actions.ts";
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
export {
  cspReportsRoute,
  healthRoute,
  metricsRoute,
  openApiRoute,
  readyRoute,
  versionRoute,
} from "./routes-system.ts";
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
export {
  changeWebhookRoute,
  createWebhookRoute,
  removeWebhookRoute,
  renewWebhookSecretRoute,
  secretWebhook,
  testWebhookRoute,
  type Webhook,
  type WebhookDelivery,
  webhook,
  webhookDeliveriesRoute,
  webhookDelivery,
  webhooksRoute,
} from "./routes-webhooks.ts";
export type { AgentSocketSpec, BrowserAccess, BrowserSocketSpec, SocketSpec } from "./socket.ts";
export { agentControlSocket } from "./sockets-agent.ts";

/**
 * Overview: what is broken, what waits for the reader and what is about to change, gathered from sources that compose.ts hands it.
 * Never reads a record by itself, and never takes silence for good news: a source that fails is something broken.
 */
export { overviewLimits } from "./limits.ts";
export { openDropWatch } from "./open-drop-watch.ts";
export { openSharedRead } from "./open-shared-read.ts";
export type { OverviewAsker, OverviewFindings, OverviewSource } from "./overview-source.ts";
export { overviewRoutes } from "./routes.ts";
export { alertSource, type AlertSourceDeps } from "./sources/alert-source.ts";
export { hostSource, surveyHosts } from "./sources/host-source.ts";
export { plansSource, type PlansSourceDeps } from "./sources/plans-source.ts";
export { pluginSource, type PluginSourceDeps } from "./sources/plugin-source.ts";
export { serverSource, type ServerSourceDeps } from "./sources/server-source.ts";
export { tokenSource, type TokenSourceDeps } from "./sources/token-source.ts";
export { trustSource, type TrustSourceDeps } from "./sources/trust-source.ts";
export { webhookSource, type WebhookSourceDeps } from "./sources/webhook-source.ts";
export { type RefusingHost, witnessSource } from "./sources/witness-source.ts";

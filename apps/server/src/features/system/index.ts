/**
 * System: what the server says about itself: alive, ready, its build, its figures, and what browsers blocked.
 * Never says anything about users, hosts or plugins.
 */
export { type CspReports, openCspReports } from "./csp-reports.ts";
export { type Metrics, type MetricsSources, openMetrics } from "./metrics.ts";
export { type SystemDeps, systemRoutes } from "./routes.ts";

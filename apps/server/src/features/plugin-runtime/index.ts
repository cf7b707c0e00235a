/**
 * Plugin runtime: knows which plugins are armed, arms and detaches them through a runner, and asks them.
 * Never decides whether a plugin may run; never lets one runner do the work of another; never changes a host.
 */
export { openRuntime, type Runtime, type RuntimeDeps, type RuntimeState } from "./open-runtime.ts";
export { runtimeRoutes } from "./routes.ts";
export { type ActionRun, type Armed, noRunner, type Runner } from "./runner.ts";
export { systemRunner } from "./system-runner.ts";

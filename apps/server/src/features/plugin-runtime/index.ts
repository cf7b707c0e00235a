/**
 * Plugin runtime: knows which plugins are armed, and arms and detaches them through a runner.
 * Never decides whether a plugin may run; never lets one runner do the work of another.
 */
export { openRuntime, type Runtime, type RuntimeDeps, type RuntimeState } from "./open-runtime.ts";
export { type Armed, noRunner, type Runner } from "./runner.ts";

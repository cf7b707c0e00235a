/**
 * Plugin runtime: knows which plugins are armed, arms and detaches them through a runner, and asks them. What it does to them is
 * in the audit log, a question before it is asked. Never decides whether a plugin may run; never lets one runner do the work of
 * another; never changes a host.
 */
export { type AskedPlan, askPlan, type PlanRequest } from "./ask-plan.ts";
export type { AskDeps, Asker } from "./ask-plugin.ts";
export { type Book, openBook } from "./book.ts";
export { closeQuestions } from "./close-questions.ts";
export { openRuntime, type Runtime, type RuntimeDeps, type RuntimeState } from "./open-runtime.ts";
export { openOwnQuestions, type OwnQuestions } from "./own-questions.ts";
export { runtimeRoutes, type RuntimeRoutesDeps } from "./routes.ts";
export { type ActionRun, type Armed, noRunner, type Runner } from "./runner.ts";
export { systemRunner } from "./system-runner.ts";

/**
 * Sandbox: runs one action of one plugin in a fresh process that can reach nothing, under limits, and ends all of it.
 * Never knows what a plugin says or means; never runs bytes whose digest it was not told.
 */
export type { ActionEnd, ActionOutcome, RunningAction, StartOptions } from "./action.ts";
export { type DetectedSandbox, detectSandbox, type TriedLevel } from "./detect-sandbox.ts";
export { isAtLeast, type SandboxLevel } from "./level.ts";
export { type Launcher, type LauncherOptions, openLauncher, type StagedArtifact } from "./open-launcher.ts";
export { type Architecture, seccompProgram } from "./seccomp/program.ts";

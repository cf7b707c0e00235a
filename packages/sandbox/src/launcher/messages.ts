import type { FaultCode } from "@gatehouse/contract/faults";
import type { ActionEnd, StartOptions } from "../action.ts";
import type { SandboxSetup } from "../command-line.ts";

/** What the server tells the launcher. `ticket` asks for exactly one `done` or `refused`. */
export type Order =
  | { readonly kind: "setup"; readonly setup: SandboxSetup; readonly directory: string }
  | StageOrder
  | { readonly kind: "remove"; readonly ticket: number; readonly staged: string }
  | StartOrder
  | { readonly kind: "send"; readonly run: number; readonly line: string }
  | { readonly kind: "kill"; readonly run: number; readonly reason: string }
  | { readonly kind: "close" };

export interface StageOrder {
  readonly kind: "stage";
  readonly ticket: number;
  /** Name of the copy's directory. */
  readonly staged: string;
  /** The bundle's artifact; absent when a launcher before this one has made the copy. */
  readonly source?: string;
  readonly sha256: string;
}

export interface StartOrder extends Omit<StartOptions, "environment"> {
  readonly kind: "start";
  readonly run: number;
  readonly staged: string;
  readonly action: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** What the launcher tells the server. */
export type LauncherReport =
  | { readonly kind: "ready" }
  | { readonly kind: "done"; readonly ticket: number }
  | { readonly kind: "refused"; readonly ticket: number; readonly code: FaultCode; readonly detail: string }
  /** The process group, so that the server can end it should the launcher die. */
  | { readonly kind: "started"; readonly run: number; readonly group: number }
  | { readonly kind: "line"; readonly run: number; readonly line: string }
  | { readonly kind: "end"; readonly run: number; readonly end: ActionEnd };

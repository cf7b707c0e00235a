import type { PlanDiffLine } from "../diff-lines.ts";
import type { HostPlaces, HostWork } from "../host-work.ts";
import type { LintAround, LintFinding } from "../lint-finding.ts";
import type { Sha256 } from "../sha256.ts";
import type { OperationDescriptor } from "./descriptor.ts";
import { type Operation, operations, subjectOf } from "./table.ts";

/** What stands above an operation wherever a plan is read: its number, its kind, and the part of the host that it replaces. */
export function operationTitle(operation: Operation, index: number): string {
  return [`${index + 1}. ${operation.kind}`, subjectOf(operation) ?? ""].join("  ").trimEnd();
}

/** What an operation does, in sentences. The same in server, command line, dashboard and agent. */
export function wordsOf(operation: Operation): string[] {
  return rowOf(operation).words(operation);
}

export function lintOperation(operation: Operation, around: LintAround): LintFinding[] {
  return rowOf(operation).lint(operation, around);
}

/**
 * What becomes of the part of the host. `before` is that part as the host told it, null where there was none, undefined where it
 * is not known. A state of another form than the kind has is not known.
 */
export function diffOperation(operation: Operation, before: unknown, sha256: Sha256): PlanDiffLine[] {
  const row = rowOf(operation);
  const state = before === null ? null : row.state?.safeParse(before).data;
  return row.diff(operation, state, sha256);
}

/** What a host writes and starts for an operation; null where no host can do it yet. The agent starts nothing else for it. */
export function workOfOperation(operation: Operation, places: HostPlaces): HostWork {
  return rowOf(operation).work(operation, places);
}

interface ReviewRow extends Pick<OperationDescriptor, "state"> {
  words(operation: Operation): string[];
  lint(operation: Operation, around: LintAround): LintFinding[];
  diff(operation: Operation, before: object | null | undefined, sha256: Sha256): PlanDiffLine[];
  work(operation: Operation, places: HostPlaces): HostWork;
}

function rowOf({ kind }: Operation): ReviewRow {
  // Each descriptor takes the operation and the state of its own kind, and it is found by that kind.
  return operations[kind];
}

import type { Capability } from "@gatehouse/contract";
import type * as z from "zod";
import type { PlanDiffLine } from "../diff-lines.ts";
import type { HostPlaces, HostWork } from "../host-work.ts";
import type { LintAround, LintFinding } from "../lint-finding.ts";
import type { Sha256 } from "../sha256.ts";

/**
 * What every program knows about one kind of operation, in one place. How a host does it (validate, snapshot, apply, check,
 * restore) is a second table, in the agent, typed by kind so that none can be left out: nothing switches over kinds.
 */
export interface OperationDescriptor<
  Kind extends string = string,
  Schema extends z.ZodType = z.ZodType,
  State extends object = object,
> {
  readonly kind: Kind;
  /** What a plugin's manifest must declare before its plan may hold this. Null: no plugin's plan may hold it. */
  readonly capability: Capability | null;
  /** The first schema of plans that can hold it; 1 where it is not said. */
  readonly planSchema?: 2;
  /** In the words a reviewer reads. */
  readonly says: string;
  /** Closed: a field that is not named is refused. */
  readonly schema: Schema;
  /**
   * Names the part of the host that the operation replaces. A plan carries the hash of that part as it was when the plan was
   * made. Null: nothing is changed.
   */
  readonly subject: (operation: z.output<Schema>) => string | null;
  /** What a host says of that part; a host without it says null. Null for what only reads. */
  readonly state: z.ZodType<State> | null;
  /** What else of the host the lint wants to know. Never a precondition. */
  readonly lintReads?: readonly string[];
  /** What this very operation does, sentence by sentence; the first is the answer. */
  readonly words: (operation: z.output<Schema>) => string[];
  /** What is wrong with it, or to be read before it is approved. */
  readonly lint: (operation: z.output<Schema>, around: LintAround) => LintFinding[];
  /** What becomes of the part. Before: null where the host has none, undefined where its state is not known. */
  readonly diff: (operation: z.output<Schema>, before: State | null | undefined, sha256: Sha256) => PlanDiffLine[];
  /** What a host writes and starts for it. */
  readonly work: (operation: z.output<Schema>, places: HostPlaces) => HostWork;
}

export function defineOperation<Kind extends string, Schema extends z.ZodType, State extends object = never>(
  descriptor: OperationDescriptor<Kind, Schema, State>,
): OperationDescriptor<Kind, Schema, State> {
  return descriptor;
}

/** The change of a kind without a state: what it does, as lines that come. */
export function diffInWords(words: readonly string[]): PlanDiffLine[] {
  return words.map((text) => ({ mark: "added", text }));
}

import type { Capability } from "@gatehouse/contract";
import type * as z from "zod";

/**
 * What every program knows about one kind of operation, in one place. How a host does it (validate, snapshot, apply, check,
 * restore) is a second table, in the agent, typed by kind so that none can be left out: nothing switches over kinds.
 */
export interface OperationDescriptor<Kind extends string = string, Schema extends z.ZodType = z.ZodType> {
  readonly kind: Kind;
  /** What a plugin's manifest must declare before its plan may hold this. Null: no plugin's plan may hold it. */
  readonly capability: Capability | null;
  /** In the words a reviewer reads. */
  readonly says: string;
  /** Closed: a field that is not named is refused. */
  readonly schema: Schema;
  /**
   * Names the part of the host that the operation replaces. A plan carries the hash of that part as it was when the plan was
   * made. Null: nothing is changed.
   */
  readonly subject: (operation: z.output<Schema>) => string | null;
}

export function defineOperation<Kind extends string, Schema extends z.ZodType>(
  descriptor: OperationDescriptor<Kind, Schema>,
): OperationDescriptor<Kind, Schema> {
  return descriptor;
}

import { Fault } from "@gatehouse/base";
import { type FaultCode, fault } from "@gatehouse/contract/faults";

/** What crosses between the server's thread and the database's. */
export interface ThreadRequest {
  readonly id: number;
  readonly op: string;
  readonly args: readonly unknown[];
}

export type ThreadReply = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly fault: { readonly code: string; readonly detail: string; readonly fields: Record<string, unknown> } }
  | { readonly error: Error }
);

/** The id of the message that says that the database is open, or why it is not. */
export const openingId = 0;
/** Asks the thread to close the database and end. */
export const closing = "close";

export function refusal(id: number, error: unknown): ThreadReply {
  if (error instanceof Fault) {
    return { id, fault: { code: error.code, detail: error.detail, fields: { ...error.fields } } };
  }
  return { id, error: error instanceof Error ? error : new Error(String(error)) };
}

/** The error a reply carries; a Fault again where it was one. */
export function errorOf(reply: Exclude<ThreadReply, { value: unknown }>): Error {
  if ("error" in reply) return reply.error;
  const { code, detail, fields } = reply.fault;
  return fault(code as FaultCode, detail, { fields });
}

import type { FaultCode } from "@gatehouse/contract/faults";

/** With which code a connection is closed for a refusal; the fault's code stands in the reason. */
export const closeCodes = {
  /** The server stops and will be back. */
  restarting: 1012,
  malformed: 4400,
  refused: 4403,
  timeout: 4408,
  replaced: 4409,
  busy: 4429,
} as const;

const special: Partial<Record<FaultCode, number>> = {
  "hello.node_signature": closeCodes.refused,
  "hello.revoked": closeCodes.refused,
  "hello.timeout": closeCodes.timeout,
  "channel.silent": closeCodes.timeout,
  "channel.replaced": closeCodes.replaced,
};

export function closeCodeOf(code: string): number {
  return special[code as FaultCode] ?? closeCodes.malformed;
}

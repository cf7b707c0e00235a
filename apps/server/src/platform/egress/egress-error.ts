/** Why a request was not made or not answered. `aborted` is the caller's own doing. */
export type EgressReason = "malformed" | "host" | "address" | "too_large" | "timeout" | "unreachable" | "aborted";

/** `message` can be shown to whoever asked for the request; `address` is for the log, because it can tell about our network. */
export class EgressError extends Error {
  readonly reason: EgressReason;
  readonly address: string | undefined;

  constructor(reason: EgressReason, message: string, more: { address?: string; cause?: unknown } = {}) {
    super(message, more.cause === undefined ? undefined : { cause: more.cause });
    this.name = "EgressError";
    this.reason = reason;
    this.address = more.address;
  }
}

/**
 * Anything that the network, the resolver or the other side made of it. Only its code is told: messages of TLS and DNS hold
 * names and addresses.
 */
export function unreachable(what: string, cause: unknown): EgressError {
  if (cause instanceof EgressError) return cause;
  const code = (cause as { readonly code?: unknown } | undefined)?.code;
  const shown = typeof code === "string" && /^[A-Z0-9_]{1,60}$/.test(code) ? `: ${code}` : "";
  return new EgressError("unreachable", `${what}${shown}`, { cause });
}

import { connectPinned, type Connect, connectTo } from "./connect-pinned.ts";
import { EgressError, unreachable } from "./egress-error.ts";
import { exchange, type Exchanged } from "./exchange.ts";
import { judgeAddress } from "./judge-address.ts";
import type { EgressLimits } from "./limits.ts";
import { openDeadline, orAborted } from "./open-deadline.ts";
import { openResolve, type Resolve } from "./open-resolve.ts";
import { parseTarget } from "./parse-target.ts";
import { requestHeaders } from "./request-headers.ts";

export interface GuardedRequest {
  readonly url: string;
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The only hosts the request may go to, in lower case; equality is all that counts. */
  readonly hosts: readonly string[];
  readonly limits: EgressLimits;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** Certificate authorities (PEM) in the place of the usual ones. */
  readonly ca?: string;
}

export type GuardedAnswer = Exchanged;

/**
 * Sends one HTTPS request, and throws an `EgressError` unless it was answered whole. The addresses of the host are looked up
 * once, all of them are judged, and the connection goes to one of those: a name that changes its mind changes nothing.
 * An answer that redirects is an answer.
 */
export async function fetchGuarded(guarded: GuardedRequest): Promise<GuardedAnswer> {
  const { limits, body, method, resolve = openResolve(), connect = connectTo } = guarded;
  const { host, path } = parseTarget(guarded.url, guarded.hosts);
  if (body !== undefined && body.length > limits.requestBytes) {
    throw new EgressError("too_large", `the body is larger than ${limits.requestBytes} bytes`);
  }
  const headers = requestHeaders(host, guarded.headers ?? {}, body);
  using deadline = openDeadline(limits.totalMs, `the request took longer than ${limits.totalMs} ms`, guarded.signal);
  const { signal } = deadline;
  try {
    const addresses = await publicAddresses(resolve, host, signal);
    const { connectMs } = limits;
    const socket = await connectPinned({ host, addresses, connectMs, connect, ca: guarded.ca, signal });
    try {
      return await exchange(socket, { method, path, headers, body, responseBytes: limits.responseBytes, signal });
    } finally {
      socket.destroy();
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw unreachable("the host did not answer", error);
  }
}

/** One address that is not public spoils the name: nobody mixes the two in good faith. */
async function publicAddresses(resolve: Resolve, host: string, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await orAborted(resolve(host, signal), signal);
  if (addresses.length === 0) throw new EgressError("unreachable", "the host has no address");
  for (const address of addresses) {
    const what = judgeAddress(address);
    if (what !== undefined)
      throw new EgressError("address", `${host} leads to an address that is ${what}`, { address });
  }
  return addresses;
}

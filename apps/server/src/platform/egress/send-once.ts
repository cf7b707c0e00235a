import { connectPinned, type Connect, connectTo } from "./connect-pinned.ts";
import { EgressError, unreachable } from "./egress-error.ts";
import { exchange, type Exchanged } from "./exchange.ts";
import type { EgressLimits } from "./limits.ts";
import { openDeadline, orAborted } from "./open-deadline.ts";
import { openResolve, type Resolve } from "./open-resolve.ts";
import { requestHeaders } from "./request-headers.ts";

/** What is sent, whoever may be its destination. */
export interface Outgoing {
  readonly method: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  readonly limits: EgressLimits;
  readonly signal?: AbortSignal;
  readonly resolve?: Resolve;
  readonly connect?: Connect;
  /** Certificate authorities (PEM) in the place of the usual ones. */
  readonly ca?: string | readonly string[];
}

/** Where it goes, as one of the two doors has read and judged it. */
export interface Destination {
  /** As the request names it. */
  readonly host: string;
  /** What the certificate has to be for: a name or an address. */
  readonly name: string;
  readonly port: number;
  readonly path: string;
  /** Where to connect to, of what the name servers say. Throws where nobody may. */
  readonly judge: (addresses: readonly string[]) => void;
  /** A destination that is an address is not looked up. */
  readonly address?: string;
}

/**
 * Sends one HTTPS request, and throws an `EgressError` unless it was answered whole. A name is looked up once, and the connection goes
 * to what was found then: one that changes its mind changes nothing. An answer that redirects is an answer.
 */
export async function sendOnce(outgoing: Outgoing, to: Destination): Promise<Exchanged> {
  const { limits, body, method, resolve = openResolve(), connect = connectTo, ca } = outgoing;
  if (body !== undefined && body.length > limits.requestBytes) {
    throw new EgressError("too_large", `the body is larger than ${limits.requestBytes} bytes`);
  }
  const headers = requestHeaders(to.host, outgoing.headers ?? {}, body);
  using deadline = openDeadline(limits.totalMs, `the request took longer than ${limits.totalMs} ms`, outgoing.signal);
  const { signal } = deadline;
  try {
    const addresses = to.address === undefined ? await orAborted(resolve(to.name, signal), signal) : [to.address];
    if (addresses.length === 0) throw new EgressError("unreachable", "the host has no address");
    to.judge(addresses);
    const { name, port, path } = to;
    const socket = await connectPinned({ name, port, addresses, connectMs: limits.connectMs, connect, ca, signal });
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

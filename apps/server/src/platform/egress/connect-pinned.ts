import { once } from "node:events";
import { connect as openSocket, type Socket } from "node:net";
import { connect as openTls, type TLSSocket } from "node:tls";
import { parseAddress } from "@gatehouse/contract";
import { EgressError, unreachable } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";
import { openDeadline } from "./open-deadline.ts";

/** Opens a connection to an address, never to a name. */
export type Connect = (to: {
  readonly address: string;
  readonly port: number;
  readonly signal: AbortSignal;
}) => Promise<Socket>;

/** The real one. An address is not looked up, so nothing can change between the check and the connection. */
export const connectTo: Connect = async ({ address, port, signal }) => {
  const socket = openSocket({ host: address, port, autoSelectFamily: false });
  try {
    await once(socket, "connect", { signal });
    return socket.on("error", ignore);
  } catch (error) {
    socket.destroy();
    throw error;
  }
};

export interface PinnedOptions {
  /** What the certificate has to be for: a name or an address. */
  readonly name: string;
  readonly port: number;
  /** All of them were judged; the first that answers is used. */
  readonly addresses: readonly string[];
  readonly connectMs: number;
  readonly connect: Connect;
  /** Certificate authorities in the place of the usual ones. */
  readonly ca: string | readonly string[] | undefined;
  readonly signal: AbortSignal;
}

/** A TLS connection to one of the addresses, by a certificate that is valid for the host. No byte of the request is sent yet. */
export async function connectPinned({ addresses, connectMs, signal, ...options }: PinnedOptions): Promise<TLSSocket> {
  const tried = addresses.slice(0, egressLimits.addressesTried);
  let failure: unknown;
  for (const address of tried) {
    using deadline = openDeadline(connectMs / tried.length, "the host did not take the connection in time", signal);
    let raw: Socket | undefined;
    try {
      raw = await options.connect({ address, port: options.port, signal: deadline.signal });
      return await secure(raw, options, deadline.signal);
    } catch (error) {
      raw?.destroy();
      if (signal.aborted) throw signal.reason;
      failure = deadline.signal.aborted ? deadline.signal.reason : error;
    }
  }
  throw unreachable("the host could not be reached", failure);
}

async function secure(
  socket: Socket,
  { name, ca }: Pick<PinnedOptions, "name" | "ca">,
  signal: AbortSignal,
): Promise<TLSSocket> {
  const secured = openTls({
    socket,
    // An address is compared with the certificate too, and never sent as a name (RFC 6066).
    ...(parseAddress(name) === undefined ? { servername: name } : { host: name }),
    ALPNProtocols: ["http/1.1"],
    minVersion: "TLSv1.2",
    ...(ca !== undefined && { ca: typeof ca === "string" ? ca : [...ca] }),
  }).on("error", ignore);
  try {
    await Promise.race([once(secured, "secureConnect", { signal }), ended(secured)]);
    // Said again here, so that no variable of the environment can turn the check off.
    if (!secured.authorized) throw new EgressError("unreachable", "the host has no valid certificate");
    return secured;
  } catch (error) {
    secured.destroy();
    throw error;
  }
}

/** Whoever waits for a connection hears of its errors; one that comes when nobody waits must not end the server. */
function ignore(): void {}

/** A peer that closes in the middle of the handshake says nothing else. */
async function ended(socket: TLSSocket): Promise<never> {
  await new Promise((done) => socket.once("close", done));
  throw new EgressError("unreachable", "the host closed the connection");
}

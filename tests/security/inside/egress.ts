import {
  connectTo,
  EgressError,
  fetchGuarded,
  type GuardedRequest,
  judgeAddress,
  openResolve,
  refusedRanges,
} from "../../../apps/server/src/platform/egress/index.ts";
import { startDnsPeer, type Zone } from "../../../apps/server/test/dns-peer.ts";
import { makeAuthority, startTlsPeer, type TlsPeer } from "../../support/tls-peer.ts";
import { stopMs } from "../../support/stopped.ts";

/**
 * The door to the one client through which the server sends requests. No plugin of a stranger runs in these tests, so they
 * ask the client what the broker asks it, with name servers and hosts of their own on loopback.
 */
export { connectTo, judgeAddress, refusedRanges };

export const host = "api.example.test";
const authority = makeAuthority();
const certificate = authority.issue([host]);
const limits = { requestBytes: 65_536, responseBytes: 262_144, connectMs: stopMs, totalMs: stopMs };

export interface World extends AsyncDisposable {
  readonly peer: TlsPeer;
  readonly questions: readonly string[];
  /** The status of the answer, or the reason of the refusal with all that it says. */
  ask(more?: Partial<GuardedRequest>): Promise<{ readonly got: number | string; readonly said: string }>;
}

export const secretBody = "canary-of-the-inside";

/** A name server that says what the test wants, and one real HTTPS host to which every connection leads. */
export async function makeWorld(
  zone: Zone,
  answer: Parameters<typeof startTlsPeer>[1] = (_, response) => void response.end(secretBody),
): Promise<World> {
  const peer = await startTlsPeer(certificate, answer);
  const dns = await startDnsPeer(zone);
  return {
    peer,
    questions: dns.questions,
    ask: async (more = {}) => {
      try {
        const answered = await fetchGuarded({
          url: `https://${host}/`,
          method: "GET",
          hosts: [host],
          limits,
          resolve: openResolve({ servers: [dns.server] }),
          connect: peer.connect,
          ca: authority.ca,
          ...more,
        });
        return {
          got: answered.status,
          said: `${JSON.stringify(answered.headers)}${Buffer.from(answered.body).toString()}`,
        };
      } catch (error) {
        if (!(error instanceof EgressError)) throw error;
        return { got: error.reason, said: error.message };
      }
    },
    [Symbol.asyncDispose]: async () => {
      await peer[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

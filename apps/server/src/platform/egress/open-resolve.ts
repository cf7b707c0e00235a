import { Resolver } from "node:dns/promises";
import { EgressError, unreachable } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";

/** All addresses of a host, as texts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<readonly string[]>;

/**
 * Asks the name servers of this machine. Not through the system's own resolver: it occupies threads that the store needs to
 * write, and would let a slow name server of a stranger hold them. Names from a hosts file are not known here.
 */
export function openResolve({ servers }: { readonly servers?: readonly string[] } = {}): Resolve {
  return async (host, signal) => {
    const resolver = new Resolver({ timeout: egressLimits.resolveMs, tries: egressLimits.resolveTries });
    if (servers !== undefined) resolver.setServers([...servers]);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      const [four, six] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      if (four.status === "rejected" && six.status === "rejected") throw four.reason;
      return [...(four.status === "fulfilled" ? four.value : []), ...(six.status === "fulfilled" ? six.value : [])];
    } catch (error) {
      if (signal.aborted) throw signal.reason instanceof EgressError ? signal.reason : error;
      throw unreachable("the host has no address", error);
    } finally {
      signal.removeEventListener("abort", cancel);
    }
  };
}

import { EgressError } from "./egress-error.ts";
import type { Exchanged } from "./exchange.ts";
import { judgeAddress } from "./judge-address.ts";
import { parseTarget } from "./parse-target.ts";
import { type Outgoing, sendOnce } from "./send-once.ts";

export interface GuardedRequest extends Outgoing {
  readonly url: string;
  /** The only hosts the request may go to, in lower case; equality is all that counts. */
  readonly hosts: readonly string[];
}

export type GuardedAnswer = Exchanged;

/** A request of somebody who may not reach inside, such as a plugin: to a host declared by name, at port 443 of public addresses. */
export async function fetchGuarded(guarded: GuardedRequest): Promise<GuardedAnswer> {
  const { host, path } = parseTarget(guarded.url, guarded.hosts);
  return sendOnce(guarded, {
    host,
    name: host,
    port: 443,
    path,
    judge: (addresses) => {
      // One address that is not public spoils the name: nobody mixes the two in good faith.
      for (const address of addresses) {
        const what = judgeAddress(address);
        if (what === undefined) continue;
        throw new EgressError("address", `${host} leads to an address that is ${what}`, { address });
      }
    },
  });
}

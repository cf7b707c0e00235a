import type { Exchanged } from "./exchange.ts";
import { parseNamedTarget } from "./parse-named-target.ts";
import { type Outgoing, sendOnce } from "./send-once.ts";

export interface NamedRequest extends Outgoing {
  readonly url: string;
  /** The origin that the operator has written into a setting: the request goes there and nowhere else. */
  readonly origin: string;
}

/**
 * A request to the host of a setting. The operator has chosen it, so it may stand inside, at any port, and be an address; it is the
 * certificate that says who answers there. Never for a destination that anybody else has a word in.
 */
export async function fetchNamed(named: NamedRequest): Promise<Exchanged> {
  return sendOnce(named, { ...parseNamedTarget(named.url, named.origin), judge: () => undefined });
}

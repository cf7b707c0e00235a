import { EgressError } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";

/** Where a request goes. Nothing of the text it came from is used afterwards. */
export interface Target {
  readonly host: string;
  /** Path and query, as they go into the request line. */
  readonly path: string;
}

/**
 * Reads an address that must lead to one of `hosts`, over HTTPS and port 443. The text has to say the host the way the parser
 * understands it: whatever another reader could take for another host is refused, not understood.
 */
export function parseTarget(text: string, hosts: readonly string[]): Target {
  if (text.length > egressLimits.urlCharacters) {
    throw new EgressError("malformed", `the address is longer than ${egressLimits.urlCharacters} characters`);
  }
  if (!/^https:\/\/[\x21-\x7e]+$/.test(text)) {
    throw new EgressError("malformed", "the address must begin with https:// and hold visible ASCII only");
  }
  const url = URL.parse(text);
  if (url?.protocol !== "https:") throw new EgressError("malformed", "the address cannot be read");
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new EgressError("malformed", "the address must hold no name, no password and no fragment");
  }
  const { hostname } = url;
  const behind = text.slice("https://".length + hostname.length);
  const isWritten = text.startsWith(`https://${hostname}`) && /^(?::443)?(?:[/?]|$)/.test(behind);
  if (!isWritten || url.port !== "" || !hosts.includes(hostname) || !isName(hostname)) {
    throw new EgressError("host", `the address must begin with https:// and one of the declared hosts: ${show(hosts)}`);
  }
  return { host: hostname, path: `${url.pathname}${url.search}` };
}

/** Hosts are declared by name: an address has no certificate worth the name, and no owner that could be looked up. */
function isName(hostname: string): boolean {
  return /^(?=.{1,253}$)(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9-]*[a-z][a-z0-9-]*$/.test(hostname);
}

function show(hosts: readonly string[]): string {
  return hosts.length === 0 ? "there are none" : hosts.join(", ");
}

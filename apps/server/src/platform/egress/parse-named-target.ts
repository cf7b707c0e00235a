import { parseAddress } from "@gatehouse/contract";
import { EgressError } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";
import type { Destination } from "./send-once.ts";

/** Reads an address that must lead to the origin of a setting, over HTTPS. What was filled into it cannot lead elsewhere. */
export function parseNamedTarget(text: string, origin: string): Omit<Destination, "judge"> {
  if (text.length > egressLimits.urlCharacters) {
    throw new EgressError("malformed", `the address is longer than ${egressLimits.urlCharacters} characters`);
  }
  const url = URL.parse(text);
  if (url?.protocol !== "https:") throw new EgressError("malformed", "the address must begin with https://");
  if (url.username !== "" || url.password !== "" || url.hash !== "") {
    throw new EgressError("malformed", "the address must hold no name, no password and no fragment");
  }
  if (url.origin !== origin) throw new EgressError("host", "the address leads to another host than the setting names");
  const name = url.hostname.replace(/^\[(.*)\]$/, "$1");
  return {
    host: url.host,
    name,
    port: url.port === "" ? 443 : Number(url.port),
    path: `${url.pathname}${url.search}`,
    ...(parseAddress(name) !== undefined && { address: name }),
  };
}

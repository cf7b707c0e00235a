import { EgressError } from "./egress-error.ts";
import { egressLimits } from "./limits.ts";

/** Headers that steer the connection, speak for a proxy, or carry what a browser would keep: they are ours or nobody's. */
const ours =
  /^(host|connection|cookie|cookie2|content-length|transfer-encoding|te|trailer|upgrade|keep-alive|expect|via|forwarded|x-forwarded-.*|proxy-.*|sec-.*|http2-settings)$/;

/** What goes out beside the request line: the caller's headers, once each, and those that only we may set. */
export function requestHeaders(
  host: string,
  given: Readonly<Record<string, string>>,
  body: Uint8Array | undefined,
): Record<string, string> {
  const names = Object.keys(given);
  if (names.length > egressLimits.headers) {
    throw new EgressError("malformed", `a request has at most ${egressLimits.headers} headers`);
  }
  for (const name of names) {
    if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name) || ours.test(name)) {
      throw new EgressError("malformed", "a header has a name that is not lower case, or that only the server may set");
    }
    const value = given[name] ?? "";
    if (value.length > egressLimits.headerCharacters || !/^[\x20-\x7e]*$/.test(value)) {
      throw new EgressError("malformed", `the header ${name} must be printable ASCII, and not too long`);
    }
  }
  return {
    "user-agent": "Gatehouse",
    // Nothing is unpacked here: what arrives is what is counted.
    "accept-encoding": "identity",
    ...given,
    host,
    ...(body !== undefined && { "content-length": String(body.length) }),
  };
}

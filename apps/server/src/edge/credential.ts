import type { IncomingHttpHeaders } from "node:http";
import type { Credential } from "../platform/route/index.ts";

/** `malformed` is a credential that was shown but cannot be anybody's: it is refused, never taken for none. */
export type Presented = Credential | { readonly kind: "malformed" } | undefined;

export function sessionCookieName(secureCookies: boolean): string {
  // The prefix makes browsers refuse the cookie unless it is Secure, host-only and of path `/`.
  return secureCookies ? "__Host-gatehouse" : "gatehouse";
}

/**
 * The credential a request shows. Only two places are looked at: the Authorization header, and our cookie when there
 * is no such header. Never the URL.
 */
export function presentedCredential(headers: IncomingHttpHeaders, cookieName: string): Presented {
  const { authorization, cookie } = headers;
  if (authorization !== undefined) {
    const token = bearer.exec(authorization)?.[1];
    return token === undefined ? { kind: "malformed" } : { kind: "bearer", token };
  }
  if (cookie === undefined || !cookie.includes(cookieName)) return undefined;
  return cookieCredential(cookie, cookieName);
}

const bearer = /^Bearer ([A-Za-z0-9._~+/=-]{1,512})$/i;
const cookieValue = /^[A-Za-z0-9._~-]{1,512}$/;

/** Two cookies of our name mean that somebody else planted one; which is ours cannot be known. */
function cookieCredential(header: string, name: string): Presented {
  let found: string | undefined;
  for (const pair of header.split(";")) {
    const equals = pair.indexOf("=");
    if (equals === -1 || pair.slice(0, equals).trim() !== name) continue;
    if (found !== undefined) return { kind: "malformed" };
    found = pair.slice(equals + 1).trim();
  }
  if (found === undefined) return undefined;
  return cookieValue.test(found) ? { kind: "cookie", value: found } : { kind: "malformed" };
}

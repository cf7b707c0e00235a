import { isLoopbackHost } from "./known-host.ts";

export interface SiteHeaders {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly secFetchSite: string | undefined;
}

/**
 * Whether a browser's request was made by the dashboard's own page (product: cross-site). Cookies are SameSite=Strict
 * too, but a sibling subdomain is the same site; the origin is what counts.
 */
export function isFromOwnPage(headers: SiteHeaders, publicOrigin: string | undefined): boolean {
  if (headers.secFetchSite !== undefined) return headers.secFetchSite === "same-origin";
  if (headers.origin === undefined) return false;
  if (headers.origin === publicOrigin) return true;
  // The console on loopback is plain HTTP under whatever port it was reached at.
  return headers.host !== undefined && isLoopbackHost(headers.host) && headers.origin === `http://${headers.host}`;
}

/** A program that sends neither header is not a browser acting for a page. */
export function isFromBrowser(headers: SiteHeaders): boolean {
  return headers.secFetchSite !== undefined || headers.origin !== undefined;
}

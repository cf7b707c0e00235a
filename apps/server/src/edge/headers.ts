import type { ReplyHeaders } from "../platform/route/index.ts";

/** Header names and values in turn, as `writeHead` takes them fastest. All of them are constant while the server runs. */
export type HeaderList = readonly string[];

/** Headers as a feature gives them, in that form. */
export function headerLines(headers: ReplyHeaders): string[] {
  return Object.entries(headers).flatMap(([name, values]) => [values].flat().flatMap((one) => [name, one]));
}

export interface HeaderRules {
  readonly publicUrl?: URL | undefined;
  readonly secureCookies: boolean;
  readonly cspScriptSrc: readonly string[];
  readonly cspConnectSrc: readonly string[];
}

/** What every response carries, whatever it is. */
export function securityHeaders(rules: HeaderRules): HeaderList {
  const list = [
    "Content-Security-Policy",
    contentSecurityPolicy(rules),
    "X-Content-Type-Options",
    "nosniff",
    "Referrer-Policy",
    "no-referrer",
    "Cross-Origin-Opener-Policy",
    "same-origin",
    "Cross-Origin-Resource-Policy",
    "same-origin",
    "Permissions-Policy",
    "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options",
    "DENY",
  ];
  // Said over plain HTTP, or by a server that is not always behind TLS, it would lock people out of their own console.
  if (rules.secureCookies && rules.publicUrl?.protocol === "https:") {
    list.push("Strict-Transport-Security", "max-age=31536000");
  }
  return list;
}

/** Contract 4.1: no inline script and no eval. The only hosts beside our own are those of a beacon the operator names. */
function contentSecurityPolicy(rules: HeaderRules): string {
  const sources = (more: readonly string[]) => ["'self'", ...more].join(" ");
  return [
    "default-src 'none'",
    `script-src ${sources(rules.cspScriptSrc)}`,
    "style-src 'self'",
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${sources(rules.cspConnectSrc)}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "report-uri /api/csp-reports",
  ].join("; ");
}

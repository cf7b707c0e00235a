import type { PinnedServer } from "./server-file.ts";

/**
 * How a connection to the server is made, written out for every one: what checks certificates is never left to the environment. The
 * compiled agent's runtime reads these options; Node, which runs the tests, has others of its own.
 */
export interface WayToServer {
  readonly tls: { readonly rejectUnauthorized: true; readonly ca?: string };
  readonly proxy?: string;
}

export function wayToServer({ ca, proxy }: Pick<PinnedServer, "ca" | "proxy">): WayToServer {
  return {
    tls: { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca }) },
    ...(proxy === undefined ? {} : { proxy }),
  };
}

/** What a failed connection has said, in one line: the code of the error that lies deepest. */
export function describeFailure(error: unknown): string {
  let found = error;
  for (let depth = 0; depth < 5; depth += 1) {
    const { cause } = found as { readonly cause?: unknown };
    if (cause === undefined) break;
    found = cause;
  }
  const { code, message } = found as { readonly code?: unknown; readonly message?: unknown };
  return [typeof code === "string" ? code : undefined, typeof message === "string" ? message : undefined]
    .filter((part) => part !== undefined && part !== "")
    .join(": ")
    .slice(0, 300);
}

/** Whether a failure is about the other end's certificate. */
export function isCertificateFailure(described: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|ERR_TLS|certificate/i.test(described);
}

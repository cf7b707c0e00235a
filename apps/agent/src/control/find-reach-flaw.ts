import { controlPath } from "@gatehouse/channel";
import type { PinnedServer } from "../local/server-file.ts";
import { describeFailure, isCertificateFailure, wayToServer } from "../local/way-to-server.ts";

export interface ReachFlaw {
  /** A name of the fault table, or `unreachable`. */
  readonly code: string;
  readonly detail: string;
}

/** What an ordinary request to the server's place found: an answer, or why there is none. */
export type Reached = { readonly status: number } | ReachFlaw;

const answerMs = 10_000;

/**
 * Why no connection came about. A WebSocket does not tell a certificate from a redirect or a machine that is off; an ordinary request to the
 * same place does.
 */
export async function findReachFlaw(server: PinnedServer): Promise<ReachFlaw> {
  const reached = await reachServer(server);
  if ("code" in reached) return reached;
  const { host } = new URL(server.url);
  return {
    code: "unreachable",
    detail: `${host} opens no connection; an ordinary request gets the status ${reached.status}`,
  };
}

/** Asks where agents connect, without connecting. The request carries nothing, and nothing but its status is read. */
export async function reachServer(server: PinnedServer): Promise<Reached> {
  const { host } = new URL(server.url);
  const request = { redirect: "manual", signal: AbortSignal.timeout(answerMs), ...wayToServer(server) } as const;
  try {
    const { status, body } = await fetch(new URL(controlPath, server.url), request);
    await body?.cancel();
    const isRedirect = status >= 300 && status < 400;
    return isRedirect ? { code: "hello.redirect", detail: `${host} answers with status ${status}` } : { status };
  } catch (error) {
    const detail = `${host}: ${describeFailure(error)}`;
    return { code: isCertificateFailure(detail) ? "hello.tls" : "unreachable", detail };
  }
}

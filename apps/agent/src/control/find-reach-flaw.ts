import { controlPath } from "@gatehouse/channel";
import type { PinnedServer } from "../local/server-file.ts";
import { describeFailure, isCertificateFailure, wayToServer } from "../local/way-to-server.ts";

export interface ReachFlaw {
  /** A name of the fault table, or `unreachable`. */
  readonly code: string;
  readonly detail: string;
}

const answerMs = 10_000;

/**
 * Why no connection came about. A WebSocket does not tell a certificate from a redirect or a machine that is off; an ordinary request to the
 * same place does. It carries nothing, and nothing but its status is read.
 */
export async function findReachFlaw(server: PinnedServer): Promise<ReachFlaw> {
  const { host } = new URL(server.url);
  const request = { redirect: "manual", signal: AbortSignal.timeout(answerMs), ...wayToServer(server) } as const;
  try {
    const { status, body } = await fetch(new URL(controlPath, server.url), request);
    await body?.cancel();
    if (status >= 300 && status < 400)
      return { code: "hello.redirect", detail: `${host} answers with status ${status}` };
    return {
      code: "unreachable",
      detail: `${host} opens no connection; an ordinary request gets the status ${status}`,
    };
  } catch (error) {
    const detail = `${host}: ${describeFailure(error)}`;
    return { code: isCertificateFailure(detail) ? "hello.tls" : "unreachable", detail };
  }
}

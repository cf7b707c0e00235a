import { EgressError, fetchNamed, type NamedRequest } from "../../platform/egress/index.ts";
import type { Log } from "../../platform/log/index.ts";
import { lookupRequest } from "./limits.ts";
import type { LookupService } from "./lookup-service.ts";
import { type LookupAnswer, readAnswer } from "./read-answer.ts";

export interface AskServiceDeps {
  readonly service: LookupService;
  readonly now: () => number;
  readonly log: Log;
  /** The authorities to believe, and another network than the real one for tests. */
  readonly network: Pick<NamedRequest, "resolve" | "connect" | "ca">;
}

/** Asks the service for one address. Never throws: what goes wrong is an answer too. */
export async function askService(deps: AskServiceDeps, address: string, signal: AbortSignal): Promise<LookupAnswer> {
  const { service, network } = deps;
  const url = service.urlFor(address);
  const headers = { accept: "application/json" };
  try {
    const request = { ...network, url, origin: service.origin, headers, limits: lookupRequest, signal };
    return readAnswer(await fetchNamed({ ...request, method: "GET" }), deps.now());
  } catch (error) {
    if (error instanceof EgressError) return { kind: "failed", reason: error.message };
    deps.log.error("a lookup failed", { service: service.host }, error);
    return { kind: "failed", reason: "an unexpected failure; the server's log has the cause" };
  }
}

import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { RequestFacts } from "../platform/route/index.ts";
import type { BodyTime } from "./body-time.ts";
import type { Presented } from "./credential.ts";
import type { Caller, Visit } from "./gate.ts";
import type { Admission } from "./rate-limit.ts";

/** One request and its answer, from the first byte to the last line about it. */
export class Exchange implements Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly facts: RequestFacts;
  readonly headers: IncomingHttpHeaders;
  readonly query: string;
  /** On the clock that never goes back. */
  readonly startedAt: number;
  /** The row's pattern once it is known: a name from a short list, never the caller's text. */
  route = "unknown";
  /** Set where every check before the body has passed, and nowhere else. No handler runs without it. */
  isAdmitted = false;
  /** Its connection cannot be used again. */
  isLast = false;
  presented: Presented = undefined;
  admission: Admission = nobody;
  /** Of requests that have a body. */
  bodyTime: BodyTime | undefined = undefined;
  params: unknown = undefined;
  caller: Caller | undefined = undefined;

  constructor(req: IncomingMessage, res: ServerResponse, facts: RequestFacts, query: string, startedAt: number) {
    this.req = req;
    this.res = res;
    this.facts = facts;
    this.headers = req.headers;
    this.query = query;
    this.startedAt = startedAt;
  }
}

const nobody: Admission = { wait: 0, key: undefined, isKnown: false };

import { fault } from "@gatehouse/contract";
import type { Exchange } from "./exchange.ts";
import type { Responder } from "./respond.ts";

/** The request's own body is broken or too slow: it is answered in its turn, unless it was already, and its connection ends. */
export function refuseBroken(respond: Pick<Responder, "problem">, exchange: Exchange, refusal: Error): void {
  if (exchange.res.headersSent) return void exchange.req.socket.destroy();
  exchange.isLast = true;
  // Whoever reads this body would wait for ever: once it is answered, the server takes its request for done.
  exchange.res.once("close", () => exchange.req.destroy());
  respond.problem(exchange, refusal);
}

export function tooSlow(): Error {
  return fault("request.timeout", "the request did not arrive within its time limit");
}

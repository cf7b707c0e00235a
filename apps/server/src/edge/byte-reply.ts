import { fault } from "@gatehouse/contract";
import type { ByteReply } from "../platform/route/index.ts";
import type { Exchange } from "./exchange.ts";
import { headerLines } from "./headers.ts";
import type { Responder } from "./respond.ts";

/**
 * Sends an answer piece by piece, the next one when the client has taken the last. What was opened is closed whoever ends it.
 * Rejects while the answer can still be a problem; what goes wrong later cuts the connection, because a half answer must not
 * look like a whole one.
 */
export async function sendBytes(
  respond: Pick<Responder, "begin" | "ended" | "problem">,
  exchange: Exchange,
  reply: ByteReply,
): Promise<void> {
  const { res } = exchange;
  const head = ["Cache-Control", "no-store", ...headerLines(reply.headers), "Content-Type", reply.mediaType];
  const begin = () => respond.begin(exchange, [...head, "Content-Length", String(reply.length)]);
  if (res.destroyed) return;
  // Behind another answer of its connection it would be gathered in memory, and nothing would tell us that the client left.
  if (res.socket === null)
    throw fault("request.malformed", "a download needs a connection without an answer under way");
  if (exchange.facts.method === "HEAD") {
    begin();
    res.end();
    return respond.ended(exchange, 0);
  }
  const pieces = reply.open()[Symbol.asyncIterator]();
  let sent = 0;
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      if (res.destroyed) break;
      if (!res.headersSent) begin();
      sent += next.value.byteLength;
      if (sent > reply.length) throw new Error(`a source of ${reply.length} bytes gave more`);
      if (!res.write(next.value)) await drained(exchange);
    }
    if (sent < reply.length && !res.destroyed) throw new Error(`a source of ${reply.length} bytes gave ${sent}`);
    if (!res.headersSent && !res.destroyed) begin();
    res.end();
  } finally {
    if (res.headersSent) respond.ended(exchange, sent);
    await pieces.return?.();
  }
}

/** When the client has taken enough to get more, or is gone. */
function drained({ res }: Exchange): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      res.off("drain", go);
      res.off("close", go);
      resolve();
    };
    if (res.destroyed) return go();
    res.once("drain", go);
    res.once("close", go);
  });
}

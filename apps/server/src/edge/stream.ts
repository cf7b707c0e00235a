import { fault } from "@gatehouse/contract";
import type { Sink, StreamReply } from "../platform/route/index.ts";
import type { Exchange } from "./exchange.ts";
import type { Responder } from "./respond.ts";

export interface Streams {
  open(exchange: Exchange, reply: StreamReply): void;
  /** Ends every stream and begins no other; their readers come back to whoever serves next. */
  endAll(): void;
}

/** Answers that go on: written when there is something to say, ended when the reader leaves or the server stops. */
export function openStreams(respond: Responder): Streams {
  const live = new Set<() => void>();
  let isEnding = false;
  return {
    open: (exchange, reply) => {
      const { res } = exchange;
      // The reader left while the stream was prepared; nothing will tell us so again.
      if (res.destroyed) return;
      // Behind another answer of its connection it would write for nobody: the first of them may go on for ever.
      if (res.socket === null)
        throw fault("request.malformed", "a stream needs a connection without an answer under way");
      reply.admit();
      // The last header asks a proxy not to gather the stream before it passes it on.
      const head = ["Cache-Control", "no-store", "Content-Type", reply.mediaType, "X-Accel-Buffering", "no"];
      respond.begin(exchange, head);
      const end = () => void res.end();
      if (exchange.facts.method === "HEAD" || isEnding) {
        end();
        respond.ended(exchange, 0);
        return;
      }
      live.add(end);
      const written = { bytes: 0 };
      const stopped = reply.start(sinkOf(exchange, written));
      res.once("close", () => {
        live.delete(end);
        stopped();
        respond.ended(exchange, written.bytes);
      });
    },
    endAll: () => {
      isEnding = true;
      for (const end of live) end();
    },
  };
}

function sinkOf({ res }: Exchange, written: { bytes: number }): Sink {
  return {
    write: (text) => {
      if (res.writableEnded || res.destroyed) return;
      written.bytes += Buffer.byteLength(text);
      res.write(text);
    },
    queued: () => res.writableLength,
    onceDrained: (then) => void res.once("drain", then),
    end: () => void res.end(),
    cut: () => void res.destroy(),
  };
}

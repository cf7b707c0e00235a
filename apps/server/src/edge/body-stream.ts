import { fault } from "@gatehouse/contract";
import type { BodyStream } from "../platform/route/index.ts";
import type { Exchange } from "./exchange.ts";
import { edgeLimits } from "./limits.ts";

export interface OpenedBody extends BodyStream {
  /** What the handler did not read is read away, so that the answer arrives and the connection can be used again. */
  dropRest(): void;
}

/**
 * A body as it comes: no piece is read before the handler asks for it, and none is kept. Its headers were judged before. The parser
 * gives exactly as many bytes as they say, or an error; that is counted once more here, because a handler believes it.
 */
export function openBodyStream({ req, headers, bodyTime }: Exchange): OpenedBody {
  const length = Number(headers["content-length"]);
  let isOpened = false;
  return {
    length,
    [Symbol.asyncIterator]: async function* () {
      if (isOpened) throw new Error("a body was read a second time");
      isOpened = true;
      // The request's stream outlives the handler's interest: destroying it would cut the connection before the answer.
      const pieces = req.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array, undefined>;
      let read = 0;
      try {
        for (;;) {
          bodyTime?.begin(edgeLimits.streamPauseMs);
          const next = await pieces.next().catch(notWhole);
          bodyTime?.pause();
          if (next.done === true) break;
          read += next.value.byteLength;
          if (read > length) notWhole();
          yield next.value;
        }
        if (read !== length) notWhole();
      } finally {
        await pieces.return?.();
      }
    },
    dropRest: () => {
      if (req.readableEnded || req.destroyed) return;
      bodyTime?.begin(edgeLimits.requestTimeoutMs);
      req.resume();
    },
  };
}

/** Whether the sender left, or was cut: why makes no difference to whoever reads. */
function notWhole(cause?: unknown): never {
  throw fault("request.malformed", "the body did not arrive whole", { cause });
}

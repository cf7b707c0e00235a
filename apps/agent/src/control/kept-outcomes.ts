import { openTurns } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract/faults";
import type { ChangeMark, Outbox } from "../outbox/outbox.ts";

/** The helper's signed words about how changes ended, on their way to the server. */
export interface KeptOutcomes {
  /** In the outbox when this resolves, once, however often it is put before the server has it; the mark changes with it. */
  put(signed: string, mark: ChangeMark): Promise<void>;
  /** One that the server may have lost. Nobody waits for it: a server that misses it asks again. */
  putAgain(signed: string): Promise<void>;
}

export interface KeptOutcomesDeps {
  readonly outbox: Pick<Outbox, "put" | "setMark" | "cursor">;
  readonly log: (line: string) => void;
  /** Called when there is something new in the outbox. */
  readonly kept: () => void;
}

export function openKeptOutcomes({ outbox, log, kept }: KeptOutcomesDeps): KeptOutcomes {
  /** Their numbers. Without this, a server that asks and never acknowledges could fill the outbox with one outcome. */
  const waiting = new Map<string, number>();
  const isWaiting = (signed: string) => {
    const { acked = 0 } = outbox.cursor() ?? {};
    for (const [each, seq] of waiting) if (seq <= acked) waiting.delete(each);
    return waiting.has(signed);
  };
  const inTurn = openTurns();
  /** One that a slow disk is still taking is not put beside itself. */
  const put = (signed: string, mark?: ChangeMark) =>
    inTurn([signed], async () => {
      if (isWaiting(signed)) return mark === undefined ? undefined : outbox.setMark(mark);
      waiting.set(signed, await outbox.put("outcome", { signed }, mark));
      kept();
    });
  return {
    put,
    putAgain: async (signed) => {
      try {
        await put(signed);
      } catch (error) {
        if (!isFault(error)) throw error;
        log(`the outbox did not take an outcome: ${error.message}`);
      }
    },
  };
}

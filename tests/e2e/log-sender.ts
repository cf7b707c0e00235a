import { type FrameOf, writeControlFrame } from "@gatehouse/channel";
import { hostLogLimits } from "@gatehouse/contract";

/** Lines as a host tells them. */
export interface ToldLog {
  readonly sources: FrameOf<"logs">["sources"];
  readonly lines: FrameOf<"logs">["lines"];
  readonly dropped?: FrameOf<"logs">["dropped"];
}

/** A host's end of its logs: one message at a time, the next when the server has acknowledged the last. */
export class LogSender {
  readonly #send: (frame: string) => void;
  #seq = 0;
  #acknowledged = Promise.withResolvers<void>();
  /** The server says that it takes lines. */
  readonly #wanted = Promise.withResolvers<void>();

  constructor(send: (frame: string) => void) {
    this.#send = send;
  }

  take(frame: FrameOf<"want-logs"> | FrameOf<"logs-ack">): void {
    if (frame.t === "want-logs") return this.#wanted.resolve();
    if (frame.seq === this.#seq && frame.kept) this.#acknowledged.resolve();
    else this.#acknowledged.reject(new Error(`lines were answered ${JSON.stringify(frame)}`));
  }

  async tell({ sources, lines, dropped = [] }: ToldLog): Promise<void> {
    await this.#wanted.promise;
    const { sentLines } = hostLogLimits;
    for (let first = 0; first === 0 || first < lines.length; first += sentLines) {
      this.#seq += 1;
      this.#acknowledged = Promise.withResolvers();
      const part = lines.slice(first, first + sentLines);
      const isLast = first + sentLines >= lines.length;
      // A note goes with the lines that it stands before.
      const [after, until] = [lines[first - 1]?.at ?? 0, isLast ? Number.POSITIVE_INFINITY : (part.at(-1)?.at ?? 0)];
      const frame: FrameOf<"logs"> = {
        t: "logs",
        seq: this.#seq,
        at: Date.now(),
        sources,
        lines: part,
        dropped: dropped.filter(({ to }) => to >= after && to < until),
        checkpoint: `{"after":${this.#seq}}`,
      };
      this.#send(writeControlFrame(frame));
      await this.#acknowledged.promise;
    }
  }
}

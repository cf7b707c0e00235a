import { fault, isFault } from "@gatehouse/contract/faults";
import type { AuditIndex } from "./audit-index/audit-index.ts";
import { readPieces } from "./lines.ts";
import { logName } from "./log-reader.ts";
import type { LogWriter } from "./log-writer.ts";
import { Turn } from "./turn.ts";

const eagerBytes = 32 * 1024 * 1024;

/**
 * Brings the index up to the durable end of the log: when somebody searches, before archiving, and now and then so that
 * neither takes long. The commit path itself never touches the index.
 */
export class IndexFeed {
  readonly #index: AuditIndex;
  readonly #log: LogWriter;
  readonly #turn = new Turn();
  /** Everything before this offset is in the index. */
  #fed: number;
  #durableEnd: number;
  #eager = false;

  constructor(index: AuditIndex, log: LogWriter, fed: number) {
    this.#index = index;
    this.#log = log;
    this.#fed = fed;
    this.#durableEnd = log.end;
  }

  /** Behind the last durable group, with or without its mark; bytes behind it may still be on their way. */
  get durableEnd(): number {
    return this.#durableEnd;
  }

  grew(): void {
    this.#durableEnd = this.#log.end;
    if (this.#eager || this.#durableEnd - this.#fed < eagerBytes) return;
    this.#eager = true;
    void this.catchUp()
      .catch(() => undefined) // whoever needs the index next gets the error
      .finally(() => {
        this.#eager = false;
      });
  }

  catchUp(): Promise<void> {
    return this.#turn.run(async () => {
      const end = this.#durableEnd;
      if (this.#fed >= end) return;
      for await (const piece of readPieces(this.#log.file, this.#fed, end)) {
        await this.#index.append(piece).catch((error: unknown) => this.#refuse(error));
        this.#fed += piece.length;
      }
      // Reading ends without a word where the file does: what was durable is not there any more.
      if (this.#fed < end) await this.#refuse(logIsShort(end - this.#fed));
    });
  }

  /** Says which file, and from which record on: whoever reads bytes of it knows neither. */
  async #refuse(error: unknown): Promise<never> {
    if (!isFault(error, "store.log_damaged")) throw error;
    const { position = (await this.#index.indexed()) + 1, expected, found } = error.fields;
    const detail = `${logName}: position ${String(position)}: expected ${String(expected)}, found ${String(found)}`;
    throw fault("store.log_damaged", detail, { fields: { file: logName, position, expected, found }, cause: error });
  }

  /** Replaces the log while nobody reads it. */
  whileStill(replace: () => Promise<void>): Promise<void> {
    return this.#turn.run(replace);
  }

  /**
   * The log was replaced: what stood at `from` now stands at `to`. Both offsets may stand before `from`: a mark that an idle
   * store writes belongs to no group, and nobody was told of it.
   */
  moved(from: number, to: number): void {
    const place = (offset: number) => Math.max(offset, from) - from + to;
    this.#fed = place(this.#fed);
    this.#durableEnd = place(this.#durableEnd);
  }
}

function logIsShort(missing: number): Error {
  const fields = { expected: `${missing} more bytes`, found: "the end of the file" };
  return fault("store.log_damaged", "the log is shorter than what was written to it", { fields });
}

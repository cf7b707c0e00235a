const lineEnd = 0x0a;
/** Each line is a message to the server. An action needs one for each call and one for its answer; a million empty ones are none. */
const mostLines = 1_000;

/**
 * Cuts standard output into lines, counts every byte and every line of it, and takes nothing that is not UTF-8. An unfinished line
 * is kept in one buffer: a million writes of one byte cost a million bytes here, not a million objects.
 */
export class LineSplitter {
  readonly #limit: number;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #pending = Buffer.allocUnsafe(1024);
  #length = 0;
  #total = 0;
  #lines = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** The lines that are complete with this part, or what is wrong with it. */
  take(part: Buffer): { readonly lines: readonly string[]; readonly fault: string | undefined } {
    this.#total += part.length;
    if (this.#total > this.#limit) return { lines: [], fault: `it wrote more than ${this.#limit} bytes` };
    const lines: string[] = [];
    let start = 0;
    for (let end = part.indexOf(lineEnd); end !== -1; end = part.indexOf(lineEnd, start)) {
      this.#lines += 1;
      if (this.#lines > mostLines) return { lines, fault: `it wrote more than ${mostLines} lines` };
      this.#keep(part.subarray(start, end));
      start = end + 1;
      try {
        lines.push(this.#decoder.decode(this.#pending.subarray(0, this.#length)));
      } catch {
        return { lines, fault: "a line it wrote is not UTF-8" };
      }
      this.#length = 0;
    }
    this.#keep(part.subarray(start));
    return { lines, fault: undefined };
  }

  /** Bytes after the last line end; they are no line. */
  get unfinished(): number {
    return this.#length;
  }

  #keep(part: Buffer): void {
    const length = this.#length + part.length;
    if (length > this.#pending.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, this.#pending.length * 2));
      this.#pending.copy(larger, 0, 0, this.#length);
      this.#pending = larger;
    }
    part.copy(this.#pending, this.#length);
    this.#length = length;
  }
}

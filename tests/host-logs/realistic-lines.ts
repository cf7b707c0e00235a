import type { LogBatch, NewLogLine } from "@gatehouse/store/telemetry";
import { Random } from "../support/random.ts";
import { linesOfBatch } from "./made-up-lines.ts";

const parts =
  "error warning accepted connection from port user session opened closed failed timeout kernel systemd nginx sshd started stopped unit get post upstream request response cache disk memory pool worker".split(
    " ",
  );
const sources = ["nginx.service", "sshd.service", "/var/log/app.log"];

/** Lines as a web server writes them: about 110 characters, with addresses, numbers of requests and other words that come once. */
export class RealisticLines {
  readonly #random: Random;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  batch(node: string, now: number): LogBatch {
    const lines = Array.from({ length: linesOfBatch }, (_, n) => this.#line(now - (linesOfBatch - n) * 10));
    return { node, lines, dropped: [], checkpoint: `{"at":${now}}` };
  }

  #line(at: number): NewLogLine {
    const random = this.#random;
    const word = () => random.pick(parts);
    const byte = () => random.below(256);
    const id = random.below(2 ** 40).toString(16);
    const request = `"GET /api/${word()}/${random.below(100_000)} HTTP/1.1" ${200 + random.below(300)}`;
    const client = `client=10.${byte()}.${byte()}.${byte()}`;
    const text = `${word()} ${word()}: ${word()} ${word()} ${client} ${request} id=${id} took ${random.below(1_000)}ms`;
    return { source: random.pick(sources), at, level: random.chance(0.02) ? random.below(5) : 6, text };
  }
}

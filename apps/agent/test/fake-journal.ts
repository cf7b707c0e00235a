import type { HostLinesRun, ReadLinesOnHost } from "../src/host/read-lines-on-host.ts";

interface Entry {
  readonly cursor: string;
  readonly unit: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const hex = (value: number, length: number) => value.toString(16).padStart(length, "0");

/** A cursor of this journal, as journald writes them; `at` is in milliseconds. */
export function cursorOf(n: number, at: number, journal = 0, file = journal): string {
  const id = hex(journal, 32);
  return `s=${hex(file, 32)};i=${n.toString(16)};b=${id};m=1;t=${(at * 1_000).toString(16)};x=${hex(n, 16)}`;
}

/** A journal in memory, and a journalctl that reads it as versions 252 and 257 do, as far as the helper asks. */
export class FakeJournal {
  readonly words: string[] = [];
  entries: Entry[] = [];
  /** Set by a test: how a program ends instead. */
  failure: HostLinesRun | undefined;
  /** Set by a test: what reads to the end is ended before. */
  slow = false;
  readonly #now: () => number;
  #held: PromiseWithResolvers<void> | undefined;
  #written = 0;
  #file = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  write(unit: string, message: unknown, more: Readonly<Record<string, unknown>> = {}): void {
    this.#written += 1;
    const cursor = cursorOf(this.#written, this.#now(), 0, this.#file);
    const said = { MESSAGE: message, PRIORITY: "6", _SYSTEMD_UNIT: unit, ...more };
    this.entries.push({ cursor, unit, fields: { ...said, __REALTIME_TIMESTAMP: String(this.#now() * 1_000) } });
  }

  /** The oldest are no more. */
  vacuum(count: number): void {
    this.entries = this.entries.slice(count);
  }

  /** From memory to the disk: the entries are the same, and stand in another file. */
  flush(): void {
    this.#file += 1;
    const moved = (cursor: string) => cursor.replace(/^s=[0-9a-f]{32}/, `s=${hex(this.#file, 32)}`);
    this.entries = this.entries.map((entry) => ({ ...entry, cursor: moved(entry.cursor) }));
  }

  /** The program says nothing until it is released. */
  hold(): void {
    this.#held = Promise.withResolvers();
  }

  release(): void {
    this.#held?.resolve();
  }

  readonly readLines: ReadLinesOnHost = async (program, args, { mostLineBytes }, take) => {
    await this.#held?.promise;
    const line = [program, ...args].join(" ");
    this.words.push(line);
    if (this.failure !== undefined) return this.failure;
    if (this.slow && !args.includes("--lines")) return { code: null, stderr: "", cut: "time" };
    const said = (name: string) => args.flatMap((word, at) => (word === name ? [args[at + 1] ?? ""] : []));
    const units = said("--unit");
    const cursor = args.find((word) => word.startsWith("--cursor="))?.slice("--cursor=".length);
    const all = this.entries.filter(({ unit }) => units.length === 0 || units.includes(unit));
    const lines = said("--lines").map(Number)[0];
    const wanted = cursor === undefined ? all.slice(-(lines ?? 0)) : from(all, cursor).slice(0, lines);
    const names = new Set((said("--output-fields")[0] ?? "").split(","));
    for (const { cursor: own, fields } of wanted) {
      const kept = Object.entries(fields).filter(([name]) => names.has(name) || name.startsWith("__"));
      const isAll = args.includes("--all");
      const shown = kept.map(([name, value]) => [name, isAll || String(value).length < 4_096 ? value : null]);
      const text = JSON.stringify({ ...Object.fromEntries(shown), __CURSOR: own });
      if (text.length > mostLineBytes) return { code: null, stderr: "", cut: "size" };
      if (!take(text)) return { code: null, stderr: "", cut: "enough" };
    }
    return { code: 0, stderr: "" };
  };
}

/** From the entry itself, or from the one that came next where it is not there. */
function from(all: readonly Entry[], cursor: string): readonly Entry[] {
  const number = (text: string) => Number.parseInt(/;i=([0-9a-f]+);/.exec(text)?.[1] ?? "", 16);
  return all.filter((entry) => number(entry.cursor) >= number(cursor));
}

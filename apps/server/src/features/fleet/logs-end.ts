import type { FrameOf } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract";
import type { LogBatch } from "@gatehouse/store/telemetry";
import type { LogsPace } from "./logs-pace.ts";

/** Where lines of logs go. */
export interface LogsKept {
  /** Resolves when they are kept; false when no logs are taken now. */
  put(batch: LogBatch): Promise<boolean>;
  /** Where a host goes on; undefined for one that nothing is kept of. */
  checkpoint(node: string): Promise<string | undefined>;
}

/** What one host sends at most, and for how long a log of it may be behind. */
export interface LogBudget {
  readonly linesPerSecond: number;
  readonly behindSeconds: number;
}

export interface LogsEndDeps {
  readonly nodeId: string;
  readonly kept: LogsKept;
  readonly budget: LogBudget;
  readonly pace: LogsPace;
  readonly now: () => number;
  readonly send: (frame: FrameOf<"want-logs"> | FrameOf<"logs-ack">) => void;
  readonly later: (ms: number) => Promise<void>;
  readonly isOpen: () => boolean;
}

/** While the disk is nearly full: hosts keep theirs, and ask again. */
const fullPauseMs = 60_000;
/** A clock is set right where it is off by more than this: less is the way here. */
const offMs = 2_000;

/** The server's end of a host's logs, over one connection: one message at a time, each kept before it is acknowledged. */
export class LogsEnd {
  readonly #deps: LogsEndDeps;
  #seq = 0;
  #isTaking = false;

  constructor(deps: LogsEndDeps) {
    this.#deps = deps;
  }

  /** Says from where on. What a host never sent begins where it likes. */
  async begin(): Promise<void> {
    const { nodeId, kept, budget, send, isOpen } = this.#deps;
    const checkpoint = (await kept.checkpoint(nodeId)) ?? null;
    if (isOpen()) send({ t: "want-logs", checkpoint, ...budget });
  }

  async take(sent: FrameOf<"logs">): Promise<void> {
    if (this.#isTaking) throw fault("frame.rate", "lines of logs came before the last ones were acknowledged");
    if (sent.seq <= this.#seq)
      throw fault("frame.malformed", `expected a number above ${this.#seq}, found ${sent.seq}`);
    this.#seq = sent.seq;
    this.#isTaking = true;
    const { nodeId, kept, pace, send, isOpen } = this.#deps;
    const batch = this.#place(sent);
    // What it sent over an earlier connection counts too.
    await this.#waitTurn();
    if (!isOpen()) return;
    pace.count(nodeId, sent.lines.length + sent.dropped.length);
    const isKept = await kept.put(batch);
    // A host that sends more than it may is not cut: its next message waits, also when this one was not kept.
    await this.#waitTurn();
    this.#isTaking = false;
    if (isOpen()) send({ t: "logs-ack", seq: sent.seq, kept: isKept, pauseMs: isKept ? 0 : fullPauseMs });
  }

  async #waitTurn(): Promise<void> {
    const { nodeId, pace, later } = this.#deps;
    const ms = pace.owedBy(nodeId);
    if (ms > 0) await later(ms);
  }

  /** At the server's time, and with sources by their names. */
  #place({ at: hostTime, sources, lines, dropped, checkpoint }: FrameOf<"logs">): LogBatch {
    const now = this.#deps.now();
    const off = hostTime - now;
    const shift = Math.abs(off) > offMs ? off : 0;
    const placed = (at: number) => Math.min(Math.max(0, at - shift), now);
    const named = (s: number) => {
      const source = sources[s];
      if (source === undefined) throw fault("frame.malformed", `expected one of ${sources.length} sources, found ${s}`);
      return source;
    };
    return {
      node: this.#deps.nodeId,
      lines: lines.map(({ s, at, level, text }) => ({
        source: named(s),
        at: placed(at),
        level: level ?? undefined,
        text: inertLine(text),
      })),
      dropped: dropped.map(({ s, lines: count, from, to }) => ({
        source: named(s),
        lines: count ?? undefined,
        from: placed(from),
        to: placed(to),
      })),
      checkpoint,
    };
  }
}

/** An honest host has done so already; nothing that moves a cursor or hides is kept of any (class 79). */
function inertLine(text: string): string {
  return text.replaceAll(/(?!\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{DI}]/gu, "\u{fffd}").toWellFormed();
}

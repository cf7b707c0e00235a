import { controlFrames, type FrameOf, outcomeBody } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import * as z from "zod";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { KeptOutcomes } from "./kept-outcomes.ts";
import { readMarks, withMarks } from "./marks.ts";
import { reasonOf } from "./reason-of.ts";
import { isForLater, isUnknownVerb, pauseForHelper } from "./retry.ts";

/** Reads what the helper has written down about changes. Only while one is open it is asked again and again: a helper that nobody asks ends. */
export interface JournalFollower {
  /** Reads what is new, now or when what is being read has come. */
  follow(): void;
  /** From now on nothing is asked, kept or told. */
  end(): void;
}

export type ToldStep = Omit<FrameOf<"~step">, "t">;

export interface JournalFollowerDeps {
  readonly ask: AskHelper;
  readonly timers: Timers;
  readonly random: () => number;
  readonly outbox: Pick<Outbox, "after" | "cursor" | "mark" | "setMark">;
  readonly outcomes: Pick<KeptOutcomes, "put">;
  /** How far the open change is. The same may be told again. */
  readonly tell: (step: ToldStep) => void;
  readonly log: (line: string) => void;
}

/** How soon the helper is asked again while a change is open. */
export const followMs = 500;

const place = z.int().min(1);
const toldStep = controlFrames["~step"].fields.omit({ t: true });
const journalForm = z.strictObject({
  /** The highest place that this answer covers. */
  last: z.int().nonnegative(),
  open: toldStep.shape.task.nullable(),
  steps: z.array(toldStep.extend({ seq: place })),
  outcomes: z.array(z.strictObject({ seq: place, signed: z.string() })),
});
type JournalAnswer = z.output<typeof journalForm>;

export function openJournalFollower(deps: JournalFollowerDeps): JournalFollower {
  return new Follower(deps);
}

class Follower implements JournalFollower {
  readonly #deps: JournalFollowerDeps;
  #reading: "no" | "yes" | "again" = "no";
  #stopTimer: StopTimer = () => undefined;
  #isOver = false;
  /** How far this process has read; and how far the outbox has said that it has every outcome. */
  #read = 0;
  #kept = 0;
  #step: ToldStep | undefined;
  /** In a row that came to nothing. */
  #tries = 0;
  #said = "";

  constructor(deps: JournalFollowerDeps) {
    this.#deps = deps;
  }

  follow(): void {
    if (this.#reading !== "no") this.#reading = "again";
    else if (!this.#isOver) void this.#readNews();
  }

  end(): void {
    this.#isOver = true;
    this.#stopTimer();
  }

  async #readNews(): Promise<void> {
    this.#stopTimer();
    this.#reading = "yes";
    const pauseMs = await this.#readAll().catch((error: unknown) => this.#fail(error));
    const isAsked = (this.#reading as "yes" | "again") === "again";
    this.#reading = "no";
    if (this.#isOver) return;
    if (isAsked) return this.follow();
    if (pauseMs !== undefined) this.#stopTimer = this.#deps.timers.after(pauseMs, () => this.follow());
  }

  /** How long to wait before the next look; undefined when nothing is to be expected. */
  async #readAll(): Promise<number | undefined> {
    for (;;) {
      const after = await this.#cursor();
      const answer = await this.#ask(after);
      if (this.#isOver) return undefined;
      if (answer.last < after) {
        await this.#beginAnew(answer.last, after);
        continue;
      }
      for (const { seq, signed } of answer.outcomes) if (seq > after) await this.#keep(seq, signed);
      this.#read = answer.last;
      this.#tell(answer);
      if (answer.last > after) continue;
      this.#tries = 0;
      this.#said = "";
      return answer.open === null ? undefined : followMs;
    }
  }

  /** Where to read on. An outbox that was lost knows of nothing: then every outcome is put again, and the server knows those that it has. */
  async #cursor(): Promise<number> {
    const { outbox } = this.#deps;
    // A disk that did not answer is asked by any use of the outbox.
    if (outbox.cursor() === undefined) await outbox.after(0, 0);
    if (outbox.cursor() === undefined) throw fault("outbox.unwritable", "the disk does not say what is in the outbox");
    const { journal } = readMarks(outbox.mark());
    if (journal < this.#kept) this.#read = journal;
    this.#kept = journal;
    return Math.max(this.#read, journal);
  }

  async #ask(after: number): Promise<JournalAnswer> {
    const { data } = journalForm.safeParse(await this.#deps.ask("journal.read", { after }));
    if (data === undefined) throw fault("local.unavailable", "the helper's answer is no part of a journal");
    return data;
  }

  async #beginAnew(last: number, after: number): Promise<void> {
    this.#deps.log(`the helper's journal ends at ${last}, and was read up to ${after}: it is read from its beginning`);
    await this.#deps.outbox.setMark(withMarks({ journal: 0 }));
    this.#read = 0;
  }

  /** The place is remembered by the same write, so that each outcome is put once, whenever the power fails. */
  async #keep(seq: number, signed: string): Promise<void> {
    const mark = withMarks({ journal: seq });
    if (outcomeBody.safeParse({ signed }).success) return this.#deps.outcomes.put(signed, mark);
    // One that no message can carry must not hold back all that come behind it.
    this.#deps.log(`the outcome at ${seq} of the helper's journal has not the form of one: the server is not told`);
    await this.#deps.outbox.setMark(mark);
  }

  #tell({ open, steps }: JournalAnswer): void {
    const newest = steps.filter(({ task }) => task === open).at(-1);
    if (newest !== undefined) this.#step = { task: newest.task, state: newest.state, at: newest.at };
    if (this.#step?.task !== open) this.#step = undefined;
    if (this.#step !== undefined) this.#deps.tell(this.#step);
  }

  /** What was read and not kept is read again. A helper that answers, and refuses, is not asked before there is a reason. */
  #fail(error: unknown): number | undefined {
    if (isUnknownVerb(error)) return undefined;
    const { code, detail } = reasonOf(error);
    const line = `the server is not told about changes: ${code}: ${detail}`;
    if (line !== this.#said && !this.#isOver) this.#deps.log(line);
    this.#said = line;
    if (!isForLater(error)) return undefined;
    this.#tries += 1;
    return pauseForHelper(this.#tries, this.#deps.random());
  }
}

import type { Clock } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import { type Ceiling, sentLogsOf } from "../ceiling/ceiling.ts";
import { findLogProtection, isLogPath } from "../ceiling/protected.ts";
import type { ReadLinesOnHost } from "../host/read-lines-on-host.ts";
import { answerWithin } from "./answer-within.ts";
import { type JournalPlace, parseFileLogPlace, parseJournalPlace, writeJournalPlace } from "./log-place.ts";
import { beginFileLog, readFileLog, skipFileLog } from "./read-file-log.ts";
import { findJournalEnd, type JournalGround, readJournalLog, skipJournalLog } from "./read-journal-log.ts";
import {
  type AnswerRoom,
  type LostLines,
  openAnswerRoom,
  type ReadLog,
  type SentLine,
  sentLogLimits,
} from "./sent-logs.ts";
import { showSubject } from "./state-question.ts";

export interface SentLogsDeps {
  readonly root: string;
  readonly readLines: ReadLinesOnHost;
  readonly clock: Pick<Clock, "now" | "monotonic">;
  readonly readCeiling: () => Ceiling;
}

export interface SentLogsQuestion {
  /** Each once. A place that cannot be read is as good as none: then a log is followed from its end. */
  readonly sources: readonly { readonly source: string; readonly cursor: string | null }[];
  readonly lines: number;
  /** Go to the end, and count what is passed over. */
  readonly skip: boolean;
}

export interface SentLogsAnswer {
  readonly lines: readonly SentLine[];
  /** One for each source; null where reading has not begun. */
  readonly cursors: readonly (string | null)[];
  /** The sources that have more. */
  readonly more: readonly number[];
  readonly lost: readonly (LostLines & { readonly s: number })[];
  /** What could not be read, and why; the others could. */
  readonly refused: readonly { readonly s: number; readonly code: string; readonly detail: string }[];
}

/** A place in the journal that is so old is changed for its end when there was nothing: the journal forgets its oldest entries. */
const oldPlaceMs = 3_600_000;
/** Places of the journal that one question reads from, each with programs of its own. All units of a host have one, soon. */
const mostPlaces = 4;

/**
 * Reads what root lets be sent, one question at a time: a disk that does not answer must not gather readers. All sources are judged by
 * the ceiling as it stands now, before the first is read.
 */
export function openSentLogs(deps: SentLogsDeps): (question: SentLogsQuestion) => Promise<SentLogsAnswer> {
  let isReading = false;
  return async (question) => {
    needListed(deps.readCeiling(), question);
    if (isReading) throw fault("local.limit", "the logs of this host are being read already");
    isReading = true;
    const work = new Reading(deps, question).run().finally(() => {
      isReading = false;
    });
    return answerWithin(sentLogLimits.answerMs + sentLogLimits.programMs, () => work);
  };
}

function needListed(ceiling: Ceiling, { sources }: SentLogsQuestion): void {
  const listed = sentLogsOf(ceiling);
  const other = sources.find(({ source }) => !listed.includes(source));
  if (other !== undefined) throw fault("read.ceiling", `${showSubject(other.source)} is no log that this host sends`);
}

interface FileSource {
  readonly s: number;
  readonly path: string;
  readonly cursor: string | null;
}

class Reading {
  readonly #deps: SentLogsDeps;
  readonly #question: SentLogsQuestion;
  readonly #room: AnswerRoom;
  readonly #end: number;
  readonly #cursors: (string | null)[];
  readonly #more = new Set<number>();
  readonly #lost: (LostLines & { readonly s: number })[] = [];
  readonly #refused: { readonly s: number; readonly code: string; readonly detail: string }[] = [];

  constructor(deps: SentLogsDeps, question: SentLogsQuestion) {
    this.#deps = deps;
    this.#question = question;
    this.#room = openAnswerRoom(question.lines);
    this.#end = deps.clock.monotonic() + sentLogLimits.answerMs;
    this.#cursors = question.sources.map(({ cursor }) => cursor);
  }

  async run(): Promise<SentLogsAnswer> {
    const { sources } = this.#question;
    // The journal is one: all its units are read in the turn of the first of them.
    const firstUnit = sources.findIndex(({ source }) => !isLogPath(source));
    for (const [s, { source, cursor }] of sources.entries()) {
      if (isLogPath(source)) await this.#attempt([s], () => this.#readFile({ s, path: source, cursor }));
      else if (s === firstUnit) await this.#readJournal();
    }
    const more = [...this.#more].toSorted((one, other) => one - other);
    return { lines: this.#room.lines, cursors: this.#cursors, more, lost: this.#lost, refused: this.#refused };
  }

  async #readFile({ s, path, cursor }: FileSource): Promise<void> {
    const protection = findLogProtection(path);
    if (protection !== undefined) throw fault("ceiling.protected", `${path}: ${protection}`);
    const ground = { root: this.#deps.root, now: this.#deps.clock.now() };
    const place = cursor === null ? undefined : parseFileLogPlace(cursor);
    if (place === undefined) return this.#note(s, await beginFileLog(ground, path));
    if (this.#isFull()) return void this.#more.add(s);
    const read = this.#question.skip
      ? await skipFileLog(ground, { path, place })
      : await readFileLog(ground, { path, s, place }, this.#room);
    this.#note(s, read);
  }

  async #readJournal(): Promise<void> {
    const places = new Map<string, Map<string, number>>();
    const begun = new Map<string, number>();
    for (const [s, { source, cursor }] of this.#question.sources.entries()) {
      if (isLogPath(source)) continue;
      const place = cursor === null ? undefined : parseJournalPlace(cursor);
      const units = place === undefined ? begun : (places.get(place.cursor) ?? new Map<string, number>());
      units.set(source, s);
      if (place !== undefined) places.set(place.cursor, units);
    }
    const all = [...begun.values(), ...[...places.values()].flatMap((units) => [...units.values()])];
    await this.#attempt(all, async () => {
      // Taken before anything is read: what is written meanwhile comes behind it.
      const end = isEndWanted(places, begun, this.#deps.clock.now())
        ? await findJournalEnd(this.#journal())
        : undefined;
      for (const s of begun.values()) this.#cursors[s] = end === undefined ? null : writeJournalPlace(end);
      const inTurn = [...places];
      for (const [, units] of inTurn.slice(mostPlaces)) for (const s of units.values()) this.#more.add(s);
      for (const [cursor, units] of inTurn.slice(0, mostPlaces)) {
        const place = parseJournalPlace(`j1:${cursor}`);
        if (place !== undefined) await this.#attempt([...units.values()], () => this.#readUnits({ units, place }, end));
      }
    });
  }

  async #readUnits(
    from: { readonly units: ReadonlyMap<string, number>; readonly place: JournalPlace },
    end: JournalPlace | undefined,
  ): Promise<void> {
    if (this.#isFull()) return from.units.forEach((s) => this.#more.add(s));
    const read = this.#question.skip
      ? await skipJournalLog(this.#journal(), from)
      : await readJournalLog(this.#journal(), from, this.#room);
    const isQuiet = !read.isMore && read.place === writeJournalPlace(from.place);
    const place = isQuiet && end !== undefined ? writeJournalPlace(end) : read.place;
    for (const s of from.units.values()) {
      const lost = read.lost.get(s);
      this.#note(s, { place, isMore: read.isMore, ...(lost === undefined ? {} : { lost }) });
    }
  }

  /** Then nothing is begun that would come to nothing. */
  #isFull(): boolean {
    return !this.#question.skip && this.#room.left() === 0;
  }

  #journal(): JournalGround {
    const { readLines, clock } = this.#deps;
    const mostMs = () => Math.max(1, Math.min(sentLogLimits.programMs, this.#end - clock.monotonic()));
    return { readLines, now: clock.now(), mostMs };
  }

  #note(s: number, { place, isMore, lost }: ReadLog): void {
    this.#cursors[s] = place;
    if (isMore) this.#more.add(s);
    if (lost !== undefined) this.#lost.push({ s, ...lost });
  }

  /** What is refused keeps its place, and keeps no other from being read; what has no time left comes with the next question. */
  async #attempt(all: readonly number[], work: () => Promise<void>): Promise<void> {
    if (this.#deps.clock.monotonic() >= this.#end) {
      for (const s of all) this.#more.add(s);
      return;
    }
    try {
      await work();
    } catch (error) {
      const { code, detail } = isFault(error) ? error : { code: "state.unreadable", detail: saidBy(error) };
      for (const s of all) this.#refused.push({ s, code, detail: detail.slice(0, 300) });
    }
  }
}

/** Asked for only when it is of use: for whoever begins, where places are to become one, and instead of an old one. */
function isEndWanted(places: ReadonlyMap<string, unknown>, begun: ReadonlyMap<string, unknown>, now: number): boolean {
  const isOld = (cursor: string) => Math.abs(now - (parseJournalPlace(`j1:${cursor}`)?.at ?? 0)) > oldPlaceMs;
  return begun.size > 0 || places.size > 1 || [...places.keys()].some(isOld);
}

function saidBy(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? "it cannot be read";
}

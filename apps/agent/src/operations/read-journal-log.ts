import type { HostLinesRun, ReadLinesOnHost } from "../host/read-lines-on-host.ts";
import { failedProgram } from "./failed-program.ts";
import { countedFields, entryFields, type JournalEntry, parseJournalEntry } from "./journal-entry.ts";
import { isSamePlace, type JournalPlace, writeJournalPlace } from "./log-place.ts";
import { shownLogText } from "./log-text.ts";
import type { AnswerRoom, LostLines } from "./sent-logs.ts";

export interface JournalGround {
  readonly readLines: ReadLinesOnHost;
  readonly now: number;
  /** How long a program may take now. */
  readonly mostMs: () => number;
}

/** Units that are read from one place, each with its number among the sources. */
export interface JournalUnits {
  readonly units: ReadonlyMap<string, number>;
  readonly place: JournalPlace;
}

export interface ReadJournal {
  readonly place: string;
  readonly isMore: boolean;
  /** By the number of the source. */
  readonly lost: ReadonlyMap<number, LostLines>;
}

/** The words for journalctl, without a place: `--lines` would then mean the last ones. */
const always = ["--no-pager", "--quiet", "--output", "json"];
const mostLineBytes = 1024 * 1024;
const mostBytes = 2 * mostLineBytes;

/** The newest entry of the whole journal; its beginning when it has none. */
export async function findJournalEnd({ readLines, mostMs }: JournalGround): Promise<JournalPlace> {
  const words = [...always, "--output-fields", "__CURSOR", "--lines", "1"];
  const { entries } = await ask(readLines, words, mostMs(), 1);
  return entries.at(-1)?.place ?? { cursor: "", at: 0 };
}

/** What units have written since a place, into the room there is. */
export async function readJournalLog(
  ground: JournalGround,
  { units, place }: JournalUnits,
  room: AnswerRoom,
): Promise<ReadJournal> {
  const { entries, isEnded } = await askForNew(ground, { units, place }, room.left() + 1);
  const known = entries[0] !== undefined && isSamePlace(entries[0].place, place);
  const isLost = !known && (await isGone(ground, place, entries));
  let last = place;
  let isFull = false;
  for (const entry of known ? entries.slice(1) : entries) {
    const s = sourceOf(units, entry);
    isFull = s !== undefined && !room.add({ s, at: entry.at, level: entry.level, text: shownLogText(entry.text) });
    if (isFull) break;
    last = entry.place;
  }
  const lost = isLost ? lostFor(units, { lines: null, ...between(place, entries[0]?.at ?? ground.now) }) : new Map();
  return { place: writeJournalPlace(last), isMore: isFull || !isEnded, lost };
}

/** At most so many entries that are new, and the one of the place itself. */
async function askForNew(
  { readLines, mostMs }: JournalGround,
  { units, place }: JournalUnits,
  most: number,
): Promise<AskedEntries> {
  const wordsFor = (count: number) => [
    ...always,
    ...since(place, count),
    ...unitWords(units),
    "--output-fields",
    entryFields,
  ];
  const whole = await ask(readLines, [...wordsFor(most), "--all"], mostMs(), most);
  const isNew = (entry: JournalEntry) => !isSamePlace(entry.place, place);
  if (whole.isEnded || whole.entries.some(isNew)) return whole;
  // The next one is larger than all that may be read. Without `--all` journalctl leaves out of it what it finds too long.
  const { entries } = await ask(readLines, wordsFor(1), mostMs(), 1);
  const first = entries.findIndex(isNew);
  return { entries: entries.slice(0, first + 1), isEnded: false };
}

/** Counts what units have written between a place and the end. */
export async function skipJournalLog(ground: JournalGround, { units, place }: JournalUnits): Promise<ReadJournal> {
  const end = await findJournalEnd(ground);
  const counts = new Map<number, { lines: number; from: number; to: number }>();
  let last: JournalPlace | undefined;
  let first: JournalEntry | undefined;
  const words = [...always, ...since(place), ...unitWords(units), "--output-fields", countedFields];
  const ran = await ground.readLines("journalctl", words, { mostMs: ground.mostMs(), mostLineBytes }, (line) => {
    const entry = parseJournalEntry(line);
    if (entry === undefined) return true;
    first ??= entry;
    last = entry.place;
    const s = isSamePlace(entry.place, place) ? undefined : sourceOf(units, entry);
    if (s === undefined) return true;
    const { lines, from } = counts.get(s) ?? { lines: 0, from: entry.at };
    counts.set(s, { lines: lines + 1, from, to: entry.at });
    return true;
  });
  const isCounted = ran.cut === undefined && ran.code === 0;
  const isKnown = isCounted && (first === undefined || !(await isGone(ground, place, [first])));
  if (!isKnown) {
    const lost = lostFor(units, { lines: null, ...between(place, ground.now) });
    return { place: writeJournalPlace(end), isMore: false, lost };
  }
  return { place: writeJournalPlace(last ?? end), isMore: false, lost: counts };
}

function since({ cursor }: JournalPlace, most?: number): string[] {
  if (cursor === "") return [];
  // From the place itself on: that its entry comes first shows that the journal still has it.
  return [`--cursor=${cursor}`, ...(most === undefined ? [] : ["--lines", String(most + 1)])];
}

function unitWords(units: ReadonlyMap<string, number>): string[] {
  return [...units.keys()].flatMap((unit) => ["--unit", unit]);
}

function sourceOf(units: ReadonlyMap<string, number>, entry: JournalEntry): number | undefined {
  for (const unit of entry.units) {
    const s = units.get(unit);
    if (s !== undefined) return s;
  }
  return undefined;
}

/** Whether the journal has let go of the place. One that is of none of these units does not come with their entries: it is asked for. */
async function isGone(
  { readLines, mostMs }: JournalGround,
  place: JournalPlace,
  entries: readonly JournalEntry[],
): Promise<boolean> {
  const [first] = entries;
  if (place.cursor === "" || first === undefined || isSamePlace(first.place, place)) return false;
  const words = [...always, `--cursor=${place.cursor}`, "--lines", "1", "--output-fields", "__CURSOR"];
  const { entries: found } = await ask(readLines, words, mostMs(), 1);
  return found[0] === undefined || !isSamePlace(found[0].place, place);
}

function between({ at }: JournalPlace, to: number): { readonly from: number; readonly to: number } {
  return { from: Math.min(at, to), to };
}

function lostFor(units: ReadonlyMap<string, number>, lost: LostLines): ReadonlyMap<number, LostLines> {
  return new Map([...units.values()].map((s) => [s, lost]));
}

interface AskedEntries {
  readonly entries: readonly JournalEntry[];
  readonly isEnded: boolean;
}

/** Entries, at most so many and one; whether there are no more. Throws when the program did not say anything. */
async function ask(
  readLines: ReadLinesOnHost,
  words: readonly string[],
  mostMs: number,
  most: number,
): Promise<AskedEntries> {
  const entries: JournalEntry[] = [];
  const ran = await readLines("journalctl", words, { mostMs, mostBytes, mostLineBytes }, (line) => {
    const entry = parseJournalEntry(line);
    if (entry !== undefined) entries.push(entry);
    return entries.length <= most;
  });
  if (ran.cut !== "enough" && ran.cut !== "size" && entries.length === 0) needEnd(ran);
  return { entries, isEnded: ran.cut === undefined && ran.code === 0 && entries.length <= most };
}

function needEnd(ran: HostLinesRun): void {
  if (ran.cut === undefined && ran.code === 0) return;
  const cut = ran.cut === "time" ? { cut: ran.cut } : {};
  throw failedProgram("journalctl", { code: ran.code, stdout: "", stderr: ran.stderr, ...cut });
}

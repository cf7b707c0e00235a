import { hostLogLimits, logLevels } from "@gatehouse/contract/host-logs";
import { cutWords } from "../cut-words.ts";
import type { LogFilter, LogLine, LogQuery, TelemetryLimits } from "./telemetry.ts";

/** A filter with every default filled in. */
export interface BoundLogFilter {
  /** Undefined: all. */
  readonly nodes: readonly string[] | undefined;
  readonly sources: readonly string[] | undefined;
  readonly level: number | undefined;
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Ids are inclusive on both sides; `isForward` finds the lowest first. */
export interface BoundLogQuery extends BoundLogFilter {
  readonly phrases: readonly Phrase[];
  readonly low: number;
  readonly high: number;
  readonly isForward: boolean;
  readonly limit: number;
}

/** Words that follow each other. */
export interface Phrase {
  readonly words: readonly string[];
  /** The last of them may be the beginning of a word. */
  readonly isBegun: boolean;
}

/** So many beginnings that half of all words may have; each is a walk through the lines of all words that begin so. */
const mostShort = 2;
const shortChars = 2;

/** More than anybody types. */
const entryChars = 500;

/** Undefined where nothing can be found. */
export function boundLogQuery(query: LogQuery, { pageItems }: Pick<TelemetryLimits, "pageItems">) {
  const filter = boundLogFilter(query);
  const bound: BoundLogQuery = {
    ...filter,
    phrases: phrasesOf((query.words ?? []).slice(0, hostLogLimits.words)),
    low: query.after === undefined ? 0 : query.after + 1,
    high: query.before === undefined ? Number.MAX_SAFE_INTEGER : query.before - 1,
    isForward: query.after !== undefined,
    limit: Math.min(Math.max(Math.floor(query.limit) || 1, 1), pageItems),
  };
  return filter.from < filter.to && bound.low <= bound.high ? bound : undefined;
}

export function boundLogFilter({ nodes, sources, level, from, to }: LogFilter): BoundLogFilter {
  return {
    nodes,
    sources,
    level: level === undefined ? undefined : Math.min(Math.max(Math.floor(level) || 0, 0), logLevels.length - 1),
    from: Math.max(from ?? 0, 0),
    to: Math.min(to ?? Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
  };
}

/** Says in TypeScript what the statements of the SQLite adapter say in SQL, ids aside; a suite holds the two together. */
export function isLogFound(query: BoundLogQuery, line: Omit<LogLine, "id">): boolean {
  if (!isLogCounted(query, line)) return false;
  if (query.phrases.length === 0) return true;
  const words = cutWords(line.text);
  return query.phrases.every((phrase) => hasPhrase(words, phrase));
}

/** The part of it that does not look at words. */
export function isLogCounted(filter: BoundLogFilter, { node, source, at, level }: Omit<LogLine, "id">): boolean {
  if (at < filter.from || at >= filter.to) return false;
  if (filter.level !== undefined && (level === undefined || level > filter.level)) return false;
  return (filter.nodes?.includes(node) ?? true) && (filter.sources?.includes(source) ?? true);
}

/** What is no word at all is no condition. Of very short words the first ones are beginnings, the others are whole. */
function phrasesOf(entries: readonly string[]): Phrase[] {
  let short = 0;
  return entries.flatMap((entry) => {
    const words = cutWords(entry.slice(0, entryChars));
    if (words.length === 0) return [];
    if ((words.at(-1) ?? "").length <= shortChars) short += 1;
    return [{ words, isBegun: (words.at(-1) ?? "").length > shortChars || short <= mostShort }];
  });
}

function hasPhrase(words: readonly string[], { words: phrase, isBegun }: Phrase): boolean {
  const last = phrase.length - 1;
  return words.some((_, at) =>
    phrase.every((word, n) =>
      isBegun && n === last ? words[at + n]?.startsWith(word) === true : words[at + n] === word,
    ),
  );
}

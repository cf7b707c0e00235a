import type { LogCounts, LogQuery } from "@gatehouse/store/telemetry";
import type { MadeUpLines } from "./made-up-lines.ts";

/** A question whose places are numbers of lines, not ids; each entry of `words` as it is cut. */
export interface MadeUpQuestion extends Omit<LogQuery, "words" | "before" | "after"> {
  readonly phrases: readonly (readonly string[])[];
  readonly before?: number;
  readonly after?: number;
}

type Test = (k: number) => boolean;

/** The answer of somebody who looks at every line: numbers of lines, newest first, and whether there are more. */
export function searchPlainly(lines: MadeUpLines, oldest: number, asked: MadeUpQuestion) {
  const isMeant = [...filtersOf(lines, asked), ...phraseTests(lines, asked.phrases)];
  const found: number[] = [];
  const low = Math.max(oldest, asked.after === undefined ? 0 : asked.after + 1);
  const high = Math.min(lines.count, asked.before ?? lines.count) - 1;
  const isForward = asked.after !== undefined;
  for (let n = 0; n <= high - low && found.length <= asked.limit; n += 1) {
    const k = isForward ? low + n : high - n;
    if (isMeant.every((test) => test(k))) found.push(k);
  }
  const items = found.slice(0, asked.limit);
  return { items: isForward ? items.toReversed() : items, more: found.length > asked.limit };
}

type CountQuestion = Pick<LogQuery, "nodes" | "sources" | "level"> & {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
};

export function countPlainly(lines: MadeUpLines, oldest: number, asked: CountQuestion): LogCounts {
  const isMeant = filtersOf(lines, asked);
  const bars = Array.from({ length: (asked.to - asked.from) / asked.stepMs }, () => [0, 0, 0, 0]);
  const nodes = new Map<string, number>();
  const sources = new Map<string, number>();
  const add = (sums: Map<string, number>, name = "") => sums.set(name, (sums.get(name) ?? 0) + 1);
  for (let k = oldest; k < lines.count; k += 1) {
    if (!isMeant.every((test) => test(k))) continue;
    const kind = lines.kind[k] ?? 0;
    const place = kind === 9 ? 3 : kind < 4 ? 0 : kind === 4 ? 1 : 2;
    const bar = bars[Math.floor(((lines.at[k] ?? 0) - asked.from) / asked.stepMs)] ?? [];
    bar[place] = (bar[place] ?? 0) + (kind === 9 ? (lines.lost[k] ?? 0) : 1);
    if (kind === 9) continue;
    add(nodes, lines.nodes[lines.node[k] ?? 0]);
    add(sources, lines.sources[lines.source[k] ?? 0]);
  }
  const sorted = (sums: ReadonlyMap<string, number>) =>
    [...sums].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return {
    bars: bars.map(([error = 0, warning = 0, info = 0, dropped = 0]) => ({ error, warning, info, dropped })),
    byNode: sorted(nodes).map(([node, count]) => ({ node, lines: count })),
    bySource: sorted(sources).map(([source, count]) => ({ source, lines: count })),
  };
}

function filtersOf(lines: MadeUpLines, asked: Pick<LogQuery, "nodes" | "sources" | "level" | "from" | "to">): Test[] {
  const { nodes, sources, level, from, to } = asked;
  const tests: Test[] = [];
  if (nodes !== undefined) {
    const wanted = lines.nodes.map((name) => nodes.includes(name));
    tests.push((k) => wanted[lines.node[k] ?? 0] === true);
  }
  if (sources !== undefined) {
    const wanted = lines.sources.map((name) => sources.includes(name));
    tests.push((k) => wanted[lines.source[k] ?? 0] === true);
  }
  if (level !== undefined) tests.push((k) => (lines.kind[k] ?? 9) <= level);
  if (from !== undefined) tests.push((k) => (lines.at[k] ?? 0) >= from);
  if (to !== undefined) tests.push((k) => (lines.at[k] ?? 0) < to);
  return tests;
}

/** Every phrase may end in the beginning of a word; of those that end in one or two letters the first two. */
function phraseTests(lines: MadeUpLines, phrases: readonly (readonly string[])[]): Test[] {
  const isShort = (phrase: readonly string[]) => (phrase.at(-1) ?? "").length <= 2;
  const short = phrases.filter(isShort).slice(0, 2);
  return phrases.map((phrase) => phraseTest(lines, phrase, !isShort(phrase) || short.includes(phrase)));
}

function phraseTest(lines: MadeUpLines, phrase: readonly string[], isBegun: boolean): Test {
  const whole = phrase.slice(0, -1);
  const begun = phrase.at(-1) ?? "";
  const isLast = (word: string) => (isBegun ? word.startsWith(begun) : word === begun);
  // By number of word: whether it is the one, or begins with it.
  const wanted = [...whole.map((word) => lines.words.map((other) => other === word)), lines.words.map(isLast)];
  const isHere = (k: number, place: number, n: number): boolean => {
    if (place === -1) return n === whole.length ? isLast(`k${k}`) : `k${k}` === whole[n];
    return wanted[n]?.[lines.wordIds[(lines.first[k] ?? 0) + place] ?? 0] === true;
  };
  return (k) => {
    if (lines.kind[k] === 9) return false;
    const words = (lines.first[k + 1] ?? 0) - (lines.first[k] ?? 0);
    for (let place = -1; place + whole.length < words; place += 1) {
      let n = 0;
      while (n < phrase.length && isHere(k, place + n, n)) n += 1;
      if (n === phrase.length) return true;
    }
    return false;
  };
}

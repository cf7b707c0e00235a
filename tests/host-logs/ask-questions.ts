import { isDeepStrictEqual } from "node:util";
import type { LogQuery, Telemetry } from "@gatehouse/store/telemetry";
import { Random } from "../support/random.ts";
import type { Tally } from "../support/scenario.ts";
import { harms } from "./harms.ts";
import { countPlainly, type MadeUpQuestion, searchPlainly } from "./look-at-every-line.ts";
import { begin, dayMs, MadeUpLines } from "./made-up-lines.ts";

interface Asked {
  readonly telemetry: Telemetry;
  readonly lines: MadeUpLines;
  /** The oldest line that is still there. */
  readonly oldest: number;
  readonly seed: number;
  readonly searches: number;
  readonly tally: Tally;
}

const minuteMs = 60_000;

/** Seeded questions, and for each the answer of a plain look at every line. */
export async function askQuestions({ telemetry, lines, oldest, seed, searches, tally }: Asked): Promise<void> {
  for (let n = 0; n < searches; n += 1) {
    const random = new Random(seed, 1_000_000 + n);
    const question = drawQuestion(lines, oldest, random);
    const expected = searchPlainly(lines, oldest, question);
    const found = await telemetry.searchLogs(await withIds({ telemetry, lines }, question));
    const items = found.items.map((line) => MadeUpLines.numberOf(line));
    tally.count("searches");
    tally.count("lines found", items.length);
    if (isDeepStrictEqual({ items, more: found.more }, expected)) continue;
    tally.fail(
      `search ${n} ${JSON.stringify(question)}: ${items.length} lines (more: ${found.more}), expected ${expected.items.length} (more: ${expected.more})`,
      harms.wrong,
    );
  }
  for (let n = 0; n < searches / 4; n += 1) {
    const question = drawCount(lines, new Random(seed, 2_000_000 + n));
    tally.count("counts");
    const found = await telemetry.countLogs(question);
    if (isDeepStrictEqual(found, countPlainly(lines, oldest, question))) continue;
    tally.fail(`count ${n} ${JSON.stringify(question)} was not that of its lines`, harms.wrong);
  }
}

function drawFilter(lines: MadeUpLines, random: Random): Pick<LogQuery, "nodes" | "sources" | "level"> {
  const some = (names: readonly string[]) => Array.from({ length: 1 + random.below(3) }, () => random.pick(names));
  return {
    ...(random.chance(0.4) && { nodes: [...some(lines.nodes), ...(random.chance(0.2) ? ["node_nobody"] : [])] }),
    ...(random.chance(0.3) && { sources: some(lines.sources) }),
    ...(random.chance(0.3) && { level: random.below(8) }),
  };
}

function drawQuestion(lines: MadeUpLines, oldest: number, random: Random): MadeUpQuestion {
  const anyLine = (): number => {
    const k = oldest + random.below(lines.count - oldest);
    return lines.kind[k] === 9 ? anyLine() : k;
  };
  const anyTime = () => lines.at[anyLine()] ?? 0;
  const [from = 0, to = 0] = [anyTime(), anyTime()].toSorted((a, b) => a - b);
  const narrow = random.chance(0.5) ? from + random.below(20 * minuteMs) : to;
  // With few conditions, so that what is at the edges of an answer is meant by them too.
  const isOpen = random.chance(0.3);
  return {
    ...(isOpen ? {} : drawFilter(lines, random)),
    phrases: isOpen ? [] : drawPhrases(lines, anyLine, random),
    ...(random.chance(0.4) && { from }),
    ...(random.chance(0.4) && { to: narrow }),
    ...(random.chance(0.3) && { before: anyLine() }),
    ...(random.chance(0.3) && { after: anyLine() }),
    limit: 1 + random.below(random.chance(0.2) ? 1_000 : 60),
  };
}

/** Of any lines; or many very short ones of one line, of which not all may be beginnings. */
function drawPhrases(lines: MadeUpLines, anyLine: () => number, random: Random): (readonly string[])[] {
  if (!random.chance(0.1)) return Array.from({ length: random.below(3) }, () => drawPhrase(lines, anyLine(), random));
  const k = anyLine();
  return Array.from({ length: 3 + random.below(4) }, () => {
    const phrase = drawPhrase(lines, k, random);
    const last = phrase.at(-1) ?? "";
    return /^[a-z0-9]+$/.test(last) ? [...phrase.slice(0, -1), last.slice(0, 1 + random.below(3))] : phrase;
  });
}

/** Mostly words that stand in that line, the last one cut off anywhere. */
function drawPhrase(lines: MadeUpLines, k: number, random: Random): readonly string[] {
  const first = lines.first[k] ?? 0;
  const there = (lines.first[k + 1] ?? 0) - first;
  if (there === 0 || random.chance(0.1)) return [`x${random.below(1_000)}nowhere`];
  const at = random.below(there);
  const words = 1 + (random.chance(0.4) ? random.below(Math.min(3, there - at)) : 0);
  const phrase = Array.from({ length: words }, (_, n) => lines.words[lines.wordIds[first + at + n] ?? 0] ?? "");
  const last = Array.from(phrase.at(-1) ?? "");
  // What is cut off within a letter and its marks is another letter.
  const isPlain = /^[a-z0-9]+$/.test(last.join(""));
  const begun = isPlain && random.chance(0.5) ? last.slice(0, 1 + random.below(last.length)) : last;
  return [...phrase.slice(0, -1), begun.join("")];
}

/** Ids are told by nobody but the search itself. */
async function withIds(
  { telemetry, lines }: Pick<Asked, "telemetry" | "lines">,
  { phrases, before, after, ...question }: MadeUpQuestion,
): Promise<LogQuery> {
  const idOf = async (k: number): Promise<number> => {
    const second = lines.words[lines.wordIds[lines.first[k] ?? 0] ?? 0];
    const [line] = (await telemetry.searchLogs({ words: [`k${k} ${second}`], limit: 1 })).items;
    if (line === undefined) throw new Error(`line ${k} is not found by its own words`);
    return line.id;
  };
  return {
    ...question,
    words: phrases.map((phrase) => phrase.join(" ")),
    ...(before !== undefined && { before: await idOf(before) }),
    ...(after !== undefined && { after: await idOf(after) }),
  };
}

function drawCount(lines: MadeUpLines, random: Random) {
  const steps = [5_000, 30_000, minuteMs, 5 * minuteMs, 10 * minuteMs, 30 * minuteMs, 60 * minuteMs, dayMs];
  const stepMs = random.pick(steps);
  const bars = stepMs === dayMs ? 4 : 1 + random.below(400);
  const first = begin + random.below(3 * dayMs);
  const from = Math.floor(first / stepMs) * stepMs;
  return { ...drawFilter(lines, random), from, to: from + bars * stepMs, stepMs };
}

import { hostLogLimits } from "@gatehouse/contract/host-logs";
import { expect } from "vitest";
import { boundLogQuery, isLogFound } from "./log-query.ts";
import type { TelemetryCase } from "./prepare-cases.ts";
import {
  type FoundLogs,
  type LogBatch,
  type LogQuery,
  type NewLogLine,
  type Telemetry,
  telemetryLimits,
} from "./telemetry.ts";

export const logBegin = Date.UTC(2026, 0, 1);
export const minute = 60_000;
export const hour = 60 * minute;
/** Searches and counts in the smallest pieces there are. */
export const smallPieces = { limits: { logPartBytes: 1, logPieceLines: 1, logPieceRows: 1 } };

/** A batch of one line a second with these texts. */
export function linesOfHost(texts: readonly string[], more: Partial<LogBatch> & Partial<NewLogLine> = {}): LogBatch {
  const { node = "n1", dropped = [], checkpoint = "here", source = "nginx.service", at = logBegin, level } = more;
  const lines = texts.map((text, n) => ({ source, at: at + n * 1_000, level, text }));
  return { node, lines, dropped, checkpoint, ...(more.lines !== undefined && { lines: more.lines }) };
}

export async function foundTexts(telemetry: Telemetry, query: Partial<LogQuery> = {}): Promise<readonly string[]> {
  return (await telemetry.searchLogs({ limit: 100, ...query })).items.map(({ text }) => text);
}

export async function putLines(telemetry: Telemetry, ...args: Parameters<typeof linesOfHost>): Promise<void> {
  expect(await telemetry.putLogs(linesOfHost(...args))).toBe(true);
}

/** What every adapter promises about finding lines of logs. */
export function logCases(withTelemetry: TelemetryCase): void {
  const [put, small] = [putLines, smallPieces];

  withTelemetry("lines are found newest first by arrival, as they were sent", async (telemetry) => {
    await put(telemetry, ["one", "two"], { level: 3 });
    await put(telemetry, ["three"], { node: "n2", source: "/var/log/a.log", at: logBegin - hour });
    const { items, more } = await telemetry.searchLogs({ limit: 10 });
    expect(more).toBe(false);
    const dropped = undefined;
    const id: unknown = expect.any(Number);
    expect(items).toEqual([
      { node: "n2", source: "/var/log/a.log", at: logBegin - hour, level: undefined, text: "three", dropped, id },
      { node: "n1", source: "nginx.service", at: logBegin + 1_000, level: 3, text: "two", dropped, id },
      { node: "n1", source: "nginx.service", at: logBegin, level: 3, text: "one", dropped, id },
    ]);
    expect(items.every(({ id }, n) => id > (items[n + 1]?.id ?? 0))).toBe(true);
    expect(await foundTexts(telemetry, { level: 2 })).toEqual([]);
  });

  withTelemetry(
    "an answer is bounded, says whether there is more, and the next one goes on where it ended",
    async (telemetry) => {
      for (const part of [0, 1, 2])
        await put(
          telemetry,
          [0, 1, 2, 3].map((n) => `line ${part * 4 + n}`),
        );
      const texts: string[] = [];
      let before: number | undefined;
      for (const more of [true, true, false]) {
        const page = await telemetry.searchLogs({ limit: 5, ...(before !== undefined && { before }) });
        expect(page.more).toBe(more);
        texts.push(...page.items.map(({ text }) => text));
        before = page.before;
      }
      expect(texts).toEqual(Array.from({ length: 12 }, (_, n) => `line ${11 - n}`));
      expect((await telemetry.searchLogs({ limit: 12 })).more).toBe(false);
      for (const limit of [0, -1, 0.5, Number.NaN]) expect(await foundTexts(telemetry, { limit })).toEqual(["line 11"]);
      const all = await telemetry.searchLogs({ limit: 12, before: Number.MAX_SAFE_INTEGER });
      expect(all.items).toHaveLength(12);
      for (const query of [{ before: 0 }, { before: Number.NaN }, { after: Number.MAX_SAFE_INTEGER }]) {
        expect(await foundTexts(telemetry, query)).toEqual([]);
      }
    },
    small,
  );

  withTelemetry(
    "following gives the nearest behind a line, newest first, and loses none of what comes between",
    async (telemetry) => {
      await put(telemetry, ["old"]);
      let { seen: after } = await telemetry.searchLogs({ limit: 1, words: ["nothing"] });
      expect(await telemetry.searchLogs({ limit: 2, after })).toMatchObject({ items: [], more: false, seen: after });
      await put(telemetry, ["1", "2"]);
      await put(telemetry, ["3", "4", "5"], { node: "n2" });
      const followed: string[] = [];
      for (const more of [true, true, false]) {
        const page = await telemetry.searchLogs({ limit: 2, after });
        expect(page.more).toBe(more);
        followed.push(...page.items.map(({ text }) => text).toReversed());
        after = page.seen;
      }
      expect(followed).toEqual(["1", "2", "3", "4", "5"]);
      expect(await foundTexts(telemetry, { after: 0, nodes: ["n1"], limit: 2 })).toEqual(["1", "old"]);
      expect(await foundTexts(telemetry, { after, before: after })).toEqual([]);
    },
    small,
  );

  withTelemetry(
    "a search that gave up is gone on with to its end, and so is following, until every line was found once",
    async (telemetry) => {
      const batches = Array.from({ length: 12 }, (_, n) => n);
      for (const n of batches) {
        await put(telemetry, [`far ${n}`, `far too ${n}`, `also far ${n}`], { at: logBegin });
        if (n % 5 === 0) await put(telemetry, [`near ${n}`], { at: logBegin + hour });
      }
      const wanted = { from: logBegin + hour, to: logBegin + 2 * hour };
      const older: string[] = [];
      for (let before: number | undefined = Number.MAX_SAFE_INTEGER; before !== undefined; ) {
        const page: FoundLogs = await telemetry.searchLogs({ ...wanted, limit: 5, before });
        expect(page.before ?? 0).toBeLessThan(before);
        older.push(...page.items.map(({ text }) => text));
        before = page.before;
      }
      expect(older).toEqual(["near 10", "near 5", "near 0"]);
      const followed: string[] = [];
      const { seen: end } = await telemetry.searchLogs({ limit: 1 });
      for (let after = 0; after < end; ) {
        const page = await telemetry.searchLogs({ ...wanted, limit: 1, after });
        expect(page.seen).toBeGreaterThan(after);
        followed.push(...page.items.map(({ text }) => text));
        after = page.seen;
      }
      expect(followed).toEqual(["near 0", "near 5", "near 10"]);
    },
    { limits: { ...small.limits, logRows: 3 } },
  );

  withTelemetry("nodes, sources, levels and times are conditions that hold together", async (telemetry) => {
    await put(telemetry, ["a"], { level: 6 });
    await put(telemetry, ["b"], { node: "n2", level: 4 });
    await put(telemetry, ["c"], { source: "sshd.service", level: 3 });
    await put(telemetry, ["d"], { at: logBegin + hour });
    expect(await foundTexts(telemetry, { nodes: ["n1"] })).toEqual(["d", "c", "a"]);
    expect(await foundTexts(telemetry, { nodes: ["n2", "n3"] })).toEqual(["b"]);
    expect(await foundTexts(telemetry, { nodes: [] })).toEqual([]);
    // A node is no source, though both are names.
    expect(await foundTexts(telemetry, { nodes: ["sshd.service"] })).toEqual([]);
    expect(await foundTexts(telemetry, { sources: ["sshd.service"] })).toEqual(["c"]);
    expect(await foundTexts(telemetry, { sources: ["sshd.service"], nodes: ["n2"] })).toEqual([]);
    expect(await foundTexts(telemetry, { level: 4 })).toEqual(["c", "b"]);
    expect(await foundTexts(telemetry, { level: 7 })).toEqual(["c", "b", "a"]);
    expect(await foundTexts(telemetry, { from: logBegin + 1, to: logBegin + hour })).toEqual([]);
    expect(await foundTexts(telemetry, { from: logBegin + hour })).toEqual(["d"]);
    expect(await foundTexts(telemetry, { to: logBegin + 1, level: 6, nodes: ["n1"] })).toEqual(["c", "a"]);
    expect(await foundTexts(telemetry, { from: Number.NaN })).toEqual([]);
    for (const level of [Number.NaN, -1, 2.9]) expect(await foundTexts(telemetry, { level })).toEqual([]);
    expect(await foundTexts(telemetry, { level: 99 })).toEqual(["c", "b", "a"]);
    const many = Array.from({ length: 500 }, (_, n) => `n${n + 2}`);
    expect(await foundTexts(telemetry, { nodes: many })).toEqual(["b"]);
  });

  withTelemetry(
    "more nodes than are asked for by name are found all the same",
    async (telemetry) => {
      const nodes = Array.from({ length: 150 }, (_, n) => `node_${n}`);
      for (const node of nodes) await put(telemetry, [`of ${node}`], { node });
      const odd = nodes.filter((_, n) => n % 2 === 1);
      expect(await foundTexts(telemetry, { nodes: odd })).toEqual(odd.map((node) => `of ${node}`).toReversed());
      expect(await foundTexts(telemetry, { nodes: odd, words: ["of", "149"] })).toEqual(["of node_149"]);
    },
    { limits: { logPieceRows: 10 } },
  );

  withTelemetry("each word begins a word of the line, and several in one are a phrase", async (telemetry) => {
    await put(telemetry, ["upstream timed out (110)", "timed upstream out", "GET /api/v1/nodes from 10.0.17.3", "Zoë"]);
    const found = (...words: string[]) => foundTexts(telemetry, { words });
    expect(await found("up")).toEqual(["timed upstream out", "upstream timed out (110)"]);
    expect(await found("UPSTREAM", "out")).toEqual(["timed upstream out", "upstream timed out (110)"]);
    expect(await found("timed out")).toEqual(["upstream timed out (110)"]);
    expect(await found("timed o")).toEqual(["upstream timed out (110)"]);
    // Only the last word of a phrase may be cut off, and no word is found by its middle.
    expect(await found("time out")).toEqual([]);
    expect(await found("stream")).toEqual([]);
    expect(await found("out timed")).toEqual([]);
    expect(await found("10.0.17.3")).toEqual(["GET /api/v1/nodes from 10.0.17.3"]);
    expect(await found("10.0.3")).toEqual([]);
    expect(await found("/api/v1")).toEqual(["GET /api/v1/nodes from 10.0.17.3"]);
    expect(await found("zoe\u0308")).toEqual(["Zoë"]);
    // The name of a node and of a source are no words of a line.
    expect(await found("nginx")).toEqual([]);
    expect(await found("timed", "nowhere")).toEqual([]);
    // Two very short words may begin others; more of them are whole words, in whatever order they come.
    expect(await found("up", "ti")).toHaveLength(2);
    expect(await found("t", "u", "out")).toHaveLength(2);
    expect(await found("t", "u", "ou")).toEqual([]);
    expect(await found("t", "u", "upstream o")).toEqual([]);
    expect(await found("g", "fr", "v1", "10")).toEqual(["GET /api/v1/nodes from 10.0.17.3"]);
    expect(await found("g", "fr", "v", "10")).toEqual([]);
    expect(await found(...Array.from({ length: 100 }, () => "out"), "nowhere")).toHaveLength(2);
    expect(hostLogLimits.words).toBeLessThan(100);
  });

  withTelemetry("nothing that is typed is more than words", async (telemetry) => {
    const texts = ["one two", "NEAR three AND one", "words § ¶ ° 1 §1", "", "a\0b \ud83d\ude00 c", 'q"q*^ -x'];
    await put(telemetry, texts);
    const parts = [
      '"',
      "'",
      "*",
      "^",
      "NEAR(",
      "NEAR",
      ")",
      "(",
      "AND",
      "OR",
      "NOT",
      "words:",
      "{words}:",
      "-",
      "+",
      "\0",
    ];
    parts.push(
      "one",
      "two",
      "§1",
      "§",
      "¶2",
      "°6",
      "--",
      ";",
      "DROP TABLE log_parts",
      "%",
      "_",
      "\ud800",
      "😀",
      "a",
      "b",
    );
    let seed = 7;
    const below = (most: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      return (seed >>> 8) % most;
    };
    const drawn = (most: number, of: () => string) => Array.from({ length: below(most) + 1 }, of);
    const part = () => parts[below(parts.length)] ?? "";
    const lines = texts.map((text) => ({
      node: "n1",
      source: "nginx.service",
      at: 0,
      level: undefined,
      text,
      dropped: undefined,
    }));
    for (let round = 0; round < 400; round += 1) {
      const words = drawn(3, () => drawn(4, part).join(below(2) === 0 ? " " : ""));
      const query = boundLogQuery({ words, limit: 100 }, telemetryLimits);
      const expected = lines.filter((line) => query !== undefined && isLogFound(query, line)).map(({ text }) => text);
      expect(await foundTexts(telemetry, { words }), JSON.stringify(words)).toEqual(expected.toReversed());
    }
    expect(await foundTexts(telemetry, { nodes: ['n1" OR "x'], sources: ["');--"] })).toEqual([]);
  });

  withTelemetry("a note of what was left out stands in its place, and is no line", async (telemetry) => {
    const lines = [1, 5, 9].map((n) => ({ source: "s", at: logBegin + n, level: 6, text: `at ${n}` }));
    const dropped = [
      { source: "s", lines: 7, from: logBegin + 5, to: logBegin + 8 },
      { source: "s", lines: undefined, from: logBegin, to: logBegin + 99 },
      { source: "s", lines: 3, from: logBegin - 9, to: logBegin },
    ];
    await put(telemetry, [], { lines, dropped });
    const { items } = await telemetry.searchLogs({ limit: 10 });
    expect(items.map((line) => line.dropped?.lines ?? (line.dropped === undefined ? line.text : "uncounted"))).toEqual([
      "uncounted",
      "at 9",
      7,
      "at 5",
      "at 1",
      3,
    ]);
    expect(items[2]).toMatchObject({ text: "", level: undefined, dropped: { from: logBegin + 5 }, at: logBegin + 8 });
    expect(await foundTexts(telemetry, { words: ["at"] })).toEqual(["at 9", "at 5", "at 1"]);
    expect(await foundTexts(telemetry, { level: 7 })).toEqual(["at 9", "at 5", "at 1"]);
    const counts = await telemetry.countLogs({ from: logBegin, to: logBegin + minute, stepMs: minute });
    expect(counts).toEqual({
      bars: [{ error: 0, warning: 0, info: 3, dropped: 11 }],
      byNode: [{ node: "n1", lines: 3 }],
      bySource: [{ source: "s", lines: 3 }],
    });
  });

  withTelemetry(
    "whatever hosts say they left out, it can be counted and nothing is lost",
    async (telemetry, around) => {
      await put(telemetry, ["before"]);
      const note = { source: "s", lines: Number.MAX_SAFE_INTEGER, from: logBegin, to: logBegin };
      for (const _ of [1, 2, 3]) await put(telemetry, [], { dropped: [note, note] });
      for (const stepMs of [minute, 30_000]) {
        const { bars, byNode } = await telemetry.countLogs({ from: logBegin, to: logBegin + minute, stepMs });
        expect(bars[0]).toMatchObject({ info: 1, dropped: 6 * hostLogLimits.droppedLines });
        expect(byNode).toEqual([{ node: "n1", lines: 1 }]);
      }
      expect(await foundTexts(telemetry, { words: ["before"] })).toEqual(["before"]);
      expect(around.warnings).toEqual([]);
    },
  );

  withTelemetry(
    "a late line is found at its own time, and what is far away is not walked to",
    async (telemetry, { clock }) => {
      await put(telemetry, ["first"], { at: logBegin });
      clock.advance(26 * hour);
      await put(telemetry, ["second"], { at: logBegin + 26 * hour });
      await put(telemetry, ["late"], { at: logBegin + 1 });
      expect(await foundTexts(telemetry, { to: logBegin + hour })).toEqual(["late", "first"]);
      expect(await foundTexts(telemetry, { from: logBegin + 1, to: logBegin + hour })).toEqual(["late"]);
      expect(await foundTexts(telemetry, { from: logBegin + hour })).toEqual(["second"]);
    },
    small,
  );
}

import { expect } from "vitest";
import { foundTexts, hour, linesOfHost, logBegin, minute, putLines, smallPieces as small } from "./log-cases.ts";
import type { TelemetryCase } from "./prepare-cases.ts";
import { type NewLogLine, type Telemetry, telemetryLimits } from "./telemetry.ts";

/** What every adapter promises about counting lines of logs, and about the names they are counted by. */
export function logCountCases(withTelemetry: TelemetryCase): void {
  withTelemetry(
    "counts are those of a look at every line, by whatever they are asked",
    async (telemetry, { clock }) => {
      const all: (NewLogLine & { node: string })[] = [];
      for (let n = 0; n < 40; n += 1) {
        const node = `n${n % 3}`;
        const lines = [0, 1, 2, 3].map((k) => ({
          source: k % 2 === 0 ? "a" : "b",
          at: logBegin + ((n * 37 + k * 11) % 300) * minute + k * 999,
          level: n % 9 === 8 ? undefined : n % 9,
          text: "x",
        }));
        await putLines(telemetry, [], { node, lines });
        clock.advance(hour);
        all.push(...lines.map((line) => ({ ...line, node })));
      }
      const filters = [
        {},
        { nodes: ["n1"] },
        { sources: ["b"], level: 3 },
        { level: 6 },
        { nodes: ["n0", "n2"], level: 4 },
      ];
      const steps = [500, 30_000, minute, 7 * minute, 30 * minute, hour];
      for (const [k, { nodes, sources, level }] of filters.entries()) {
        for (const stepMs of steps) {
          const from = logBegin + (stepMs < minute ? 10 * minute + 500 : k % 2) * (k % 3);
          const asked = { ...filters[k], from, to: Math.min(logBegin + 5 * hour, from + 400 * stepMs), stepMs };
          const begin = stepMs < minute ? from : Math.floor(from / minute) * minute;
          const end = stepMs < minute ? asked.to : Math.ceil(asked.to / minute) * minute;
          const meant = all.filter(
            (line) =>
              line.at >= begin &&
              line.at < end &&
              (nodes?.includes(line.node) ?? true) &&
              (sources?.includes(line.source) ?? true) &&
              (level === undefined || (line.level ?? 9) <= level),
          );
          const counts = await telemetry.countLogs(asked);
          const bars = counts.bars.map(() => ({ error: 0, warning: 0, info: 0, dropped: 0 }));
          for (const line of meant) {
            const bar = bars[Math.floor((line.at - begin) / stepMs)];
            const kind = (line.level ?? 9) < 4 ? "error" : line.level === 4 ? "warning" : "info";
            if (bar !== undefined) bar[kind] += 1;
          }
          expect(counts.bars, JSON.stringify(asked)).toEqual(bars);
          for (const { node, lines } of counts.byNode) {
            expect(lines).toBe(meant.filter((line) => line.node === node).length);
          }
          expect(counts.bySource.reduce((sum, { lines }) => sum + lines, 0)).toBe(meant.length);
        }
      }
    },
    small,
  );

  withTelemetry(
    "where too many lines would have to be looked at, their minutes are spread over the bars",
    async (telemetry) => {
      await putLines(telemetry, ["a", "b", "c", "d", "e"]);
      const { bars } = await telemetry.countLogs({ from: logBegin, to: logBegin + minute, stepMs: 30_000 });
      expect(bars.reduce((sum, { info }) => sum + info, 0)).toBe(5);
    },
    { limits: { logRows: 3 } },
  );

  withTelemetry(
    "whether lines are counted one by one is for the nodes that are asked for to decide, not for others",
    async (telemetry) => {
      await putLines(telemetry, ["early"], { at: logBegin + 50_000, source: "a", level: 3 });
      const counted = async () => {
        const stretch = { from: logBegin, to: logBegin + minute, stepMs: 10_000 };
        const ask = { ...stretch, nodes: ["n1"], sources: ["a"], level: 4 };
        const { bars, byNode } = await telemetry.countLogs(ask);
        return [bars.map(({ error }) => error), byNode];
      };
      const exact = [[0, 0, 0, 0, 0, 1], [{ node: "n1", lines: 1 }]];
      expect(await counted()).toEqual(exact);
      await putLines(telemetry, ["a", "b", "c", "d", "e"], { node: "n2", source: "a", level: 3 });
      await putLines(telemetry, ["other"], { source: "b", level: 3 });
      expect(await counted()).toEqual(exact);
    },
    { limits: { logRows: 3 } },
  );

  withTelemetry("odd stretches are cut, and no stretch has no bars", async (telemetry) => {
    await putLines(telemetry, ["a"]);
    const bars = async (from: number, to: number, stepMs: number) =>
      (await telemetry.countLogs({ from, to, stepMs })).bars.length;
    expect(await bars(logBegin, logBegin, minute)).toBe(0);
    expect(await bars(logBegin, logBegin - 1, 1_000)).toBe(0);
    expect(await bars(Number.NaN, logBegin, minute)).toBe(0);
    expect(await bars(logBegin, Number.NaN, minute)).toBe(0);
    expect(await bars(logBegin, logBegin + hour, Number.NaN)).toBe(0);
    expect(await bars(0, Number.MAX_VALUE, 0)).toBe(telemetryLimits.logBars);
    expect(await bars(0, Number.MAX_VALUE, minute)).toBe(telemetryLimits.logBars);
    expect(await bars(-hour, minute, minute)).toBe(1);
    expect(await bars(logBegin, logBegin + 90_000, minute)).toBe(2);
  });

  withTelemetry(
    "a node that makes up names of logs is told of by few, its lines are found, and others keep their names",
    async (telemetry, _, { reopen }) => {
      await putLines(telemetry, ["of another"], { node: "n2", source: "/own.log" });
      const madeUp = async (of: Telemetry, first: number) => {
        for (let n = first; n < first + 50; n += 1)
          await of.putLogs(linesOfHost([`line ${n}`], { source: `/made-up/${n}` }));
      };
      await madeUp(telemetry, 0);
      await telemetry.close();
      const again = reopen();
      await madeUp(again, 50);
      // A name that was known before stays one, and of another node it is one of its own.
      for (const node of ["n1", "n2"]) await again.putLogs(linesOfHost(["known"], { node, source: "/made-up/7" }));
      await again.putLogs(linesOfHost(["new"], { node: "n2", source: "/made-up/99" }));
      const { items } = await again.searchLogs({ limit: 200 });
      const sourcesOf = (node: string) =>
        new Set(items.filter((item) => item.node === node).map((item) => item.source));
      expect([items.length, sourcesOf("n1").size, sourcesOf("n1").has("(others)")]).toEqual([104, 65, true]);
      expect([...sourcesOf("n2")]).toEqual(["/made-up/99", "/made-up/7", "/own.log"]);
      expect(await foundTexts(again, { sources: ["/made-up/7"] })).toEqual(["known", "known", "line 7"]);
      expect(await foundTexts(again, { words: ["99"] })).toEqual(["line 99"]);
      const { bySource } = await again.countLogs({ from: logBegin, to: logBegin + hour, stepMs: hour });
      expect(bySource[0]).toEqual({ source: "(others)", lines: 36 });
    },
  );

  withTelemetry("of nodes and sources those with the most lines are told", async (telemetry) => {
    for (let n = 0; n < telemetryLimits.logNames + 5; n += 1) {
      await putLines(telemetry, n % 2 === 0 ? ["a", "b"] : ["a"], { node: `n${n}`, source: `s${n}` });
    }
    const { byNode, bySource } = await telemetry.countLogs({ from: logBegin, to: logBegin + hour, stepMs: hour });
    expect([byNode.length, bySource.length]).toEqual([telemetryLimits.logNames, telemetryLimits.logNames]);
    expect(byNode.slice(0, 2)).toEqual(["n0", "n10"].map((node) => ({ node, lines: 2 })));
    expect(bySource.at(-1)?.lines).toBe(1);
  });
}

import { hostLogLimits } from "@gatehouse/contract/host-logs";
import { expect } from "vitest";
import { foundTexts, linesOfHost, logBegin } from "./log-cases.ts";
import type { TelemetryCase } from "./prepare-cases.ts";
import type { Telemetry } from "./telemetry.ts";

const hour = 60 * 60_000;
const day = 24 * hour;

/** What every adapter promises about keeping lines of logs and letting them go. */
export function logKeepCases(withTelemetry: TelemetryCase): void {
  withTelemetry("a host's place is that of its last batch, and nobody else's", async (telemetry, _, { reopen }) => {
    expect(await telemetry.logCheckpoint("n1")).toBeUndefined();
    await telemetry.putLogs(linesOfHost(["a"], { checkpoint: "1" }));
    await telemetry.putLogs(linesOfHost(["b"], { checkpoint: "2" }));
    await telemetry.putLogs(linesOfHost([], { node: "n2", checkpoint: "x" }));
    expect(await telemetry.logCheckpoint("n1")).toBe("2");
    await telemetry.close();
    expect(await telemetry.logCheckpoint("n1")).toBeUndefined();
    const again = reopen();
    expect([await again.logCheckpoint("n1"), await again.logCheckpoint("n2")]).toEqual(["2", "x"]);
    expect(await foundTexts(again)).toEqual(["b", "a"]);
  });

  withTelemetry("ids go on growing over days and restarts", async (telemetry, { clock }, { reopen }) => {
    const lastId = async (of: Telemetry) => (await of.searchLogs({ limit: 1 })).items[0]?.id ?? 0;
    await telemetry.putLogs(linesOfHost(["a", "b"]));
    const ids = [await lastId(telemetry)];
    clock.advance(day);
    await telemetry.putLogs(linesOfHost(["c"]));
    ids.push(await lastId(telemetry));
    await telemetry.close();
    const again = reopen();
    await again.putLogs(linesOfHost(["d"]));
    ids.push(await lastId(again));
    // Also where the clock went back, and everything that was there is gone.
    clock.advance(-3 * day);
    await again.putLogs(linesOfHost(["e"]));
    ids.push(await lastId(again));
    expect(ids.every((id, n) => Number.isSafeInteger(id) && id > (ids[n - 1] ?? 0))).toBe(true);
    expect(await foundTexts(again)).toEqual(["e", "d", "c", "b", "a"]);
  });

  withTelemetry("many at once are kept in the order in which they came", async (telemetry) => {
    const texts = Array.from({ length: 40 }, (_, n) => `line ${n}`);
    const kept = await Promise.all(texts.map((text) => telemetry.putLogs(linesOfHost([text], { checkpoint: text }))));
    expect(kept.every(Boolean)).toBe(true);
    expect(await foundTexts(telemetry)).toEqual(texts.toReversed());
    expect(await telemetry.logCheckpoint("n1")).toBe("line 39");
  });

  withTelemetry(
    "a host that asks for its place while its lines are on their way is told the one behind them",
    async (telemetry) => {
      const kept = [1, 2, 3].map((n) => telemetry.putLogs(linesOfHost([`line ${n}`], { checkpoint: String(n) })));
      const place = telemetry.logCheckpoint("n1");
      const next = telemetry.putLogs(linesOfHost(["line 4"], { checkpoint: "4" }));
      expect([await place, ...(await Promise.all(kept)), await next]).toEqual(["3", true, true, true, true]);
    },
  );

  withTelemetry(
    "no line is older than what is kept, whatever a host says: it is looked for in no stretch of before",
    async (telemetry, { clock }) => {
      const begin = clock.now();
      const dropped = [{ source: "s", lines: 1, from: 0, to: 0 }];
      await telemetry.putLogs(linesOfHost(["old"], { at: 0, dropped }));
      await telemetry.putLogs(linesOfHost(["late"], { at: begin - day }));
      const { items } = await telemetry.searchLogs({ limit: 10 });
      expect(items.map(({ text, at }) => [text, begin - at])).toEqual([
        ["late", day],
        ["", 2 * day],
        ["old", 2 * day],
      ]);
      expect(await foundTexts(telemetry, { to: begin - 2 * day })).toEqual([]);
    },
    { keepLogsMs: 2 * day },
  );

  withTelemetry("the same batch twice is kept twice", async (telemetry) => {
    for (const _ of [1, 2]) await telemetry.putLogs(linesOfHost(["a", "b"]));
    expect(await foundTexts(telemetry)).toEqual(["b", "a", "b", "a"]);
  });

  withTelemetry(
    "more batches than there are hosts are refused, and those before them are kept",
    async (telemetry) => {
      const answers = await Promise.all([1, 2, 3, 4].map((n) => telemetry.putLogs(linesOfHost([`line ${n}`]))));
      expect(answers).toEqual([true, true, false, false]);
      expect(await foundTexts(telemetry)).toEqual(["line 2", "line 1"]);
      expect(await telemetry.putLogs(linesOfHost(["later"]))).toBe(true);
    },
    { limits: { queuedLogBatches: 2 } },
  );

  withTelemetry(
    "on a disk that is nearly full nothing is kept, and nothing counts as dropped",
    async (telemetry, around) => {
      await telemetry.putLogs(linesOfHost(["a"], { checkpoint: "1" }));
      around.isNearlyFull = true;
      expect(await telemetry.putLogs(linesOfHost(["b"], { checkpoint: "2" }))).toBe(false);
      expect(await telemetry.logCheckpoint("n1")).toBe("1");
      expect([telemetry.dropped(), around.warnings]).toEqual([0, []]);
      around.isNearlyFull = false;
      expect(await telemetry.putLogs(linesOfHost(["b"], { checkpoint: "2" }))).toBe(true);
      expect(await foundTexts(telemetry)).toEqual(["b", "a"]);
    },
  );

  withTelemetry(
    "after closing nothing is kept, found or counted, and nothing throws",
    async (telemetry, _, { reopen }) => {
      const before = telemetry.putLogs(linesOfHost(["a"]));
      expect(await before).toBe(true);
      await telemetry.close();
      expect(await telemetry.putLogs(linesOfHost(["b"]))).toBe(false);
      expect(await telemetry.searchLogs({ limit: 1 })).toMatchObject({ items: [], more: false });
      const { byNode } = await telemetry.countLogs({ from: logBegin, to: logBegin + hour, stepMs: hour });
      expect(byNode).toEqual([]);
      expect(await foundTexts(reopen())).toEqual(["a"]);
    },
  );

  withTelemetry("what is too long is cut, and what says nothing of use is refused whole", async (telemetry, around) => {
    const { lineChars, sourceChars, sentLines } = hostLogLimits;
    const long = linesOfHost(["x".repeat(lineChars + 1), "\ud800 odd"], { source: "s".repeat(sourceChars + 1) });
    expect(await telemetry.putLogs(long)).toBe(true);
    const { items } = await telemetry.searchLogs({ limit: 10 });
    expect(items.map(({ text }) => text)).toEqual(["\ufffd odd", `${"x".repeat(lineChars - 1)}…`]);
    expect(items[0]?.source).toBe("s".repeat(sourceChars));
    const line = { source: "s", at: logBegin, level: 6, text: "a" };
    expect(await telemetry.putLogs(linesOfHost([], { lines: [{ ...line, level: 8 }] }))).toBe(true);
    expect((await telemetry.searchLogs({ limit: 1 })).items[0]?.level).toBeUndefined();
    const dropped = [{ source: "s", lines: -1, from: 0, to: 0 }];
    const refused = [
      linesOfHost(["a"], { node: "" }),
      linesOfHost(["a"], { node: "n".repeat(500) }),
      linesOfHost(["a"], { node: "\ud800" }),
      linesOfHost(["a"], { checkpoint: "c".repeat(100_000) }),
      linesOfHost(Array.from({ length: sentLines + 1 }, () => "a")),
      linesOfHost([], { lines: [line, { ...line, at: Number.NaN }] }),
      linesOfHost([], { lines: [line, { ...line, at: -1 }] }),
      linesOfHost(["a"], { dropped }),
    ];
    for (const batch of refused) expect(await telemetry.putLogs(batch)).toBe(false);
    expect(await foundTexts(telemetry)).toHaveLength(3);
    expect(around.warnings).toEqual(["telemetry: keeping lines of logs failed"]);
  });

  withTelemetry(
    "lines go with the day on which they arrived, counts with them, and ids are not used again",
    async (telemetry, { clock, tick }) => {
      await telemetry.putLogs(linesOfHost(["a", "late"], { at: clock.now() }));
      const [first] = (await telemetry.searchLogs({ limit: 1 })).items;
      clock.advance(day);
      await telemetry.putLogs(linesOfHost(["b"], { at: clock.now() - day }));
      clock.advance(2 * day);
      const afterTick = () => {
        tick();
        return foundTexts(telemetry);
      };
      await expect.poll(afterTick).toEqual(["b"]);
      const from = clock.now() - 4 * day;
      const { byNode } = await telemetry.countLogs({ from, to: clock.now(), stepMs: 60_000 * 60 });
      expect(byNode).toEqual([{ node: "n1", lines: 1 }]);
      clock.advance(2 * day);
      await expect.poll(afterTick).toEqual([]);
      expect(await telemetry.logCheckpoint("n1")).toBe("here");
      clock.advance(-10 * day);
      await telemetry.putLogs(linesOfHost(["c"]));
      const [next] = (await telemetry.searchLogs({ limit: 1 })).items;
      expect(next?.id).toBeGreaterThan((first?.id ?? 0) + 1);
    },
    { keepLogsMs: 2 * day },
  );

  withTelemetry(
    "what is more than may be kept goes, the oldest first, within one day too",
    async (telemetry, { tick }) => {
      // Words of their own, because the index is counted too.
      const text = (n: number, k: number) =>
        `line ${n} ${Array.from({ length: 100 }, (_, w) => `w${(n * 31 + k * 17 + w) % 9973}x${w}`).join(" ")}`;
      for (let n = 0; n < 60; n += 1) {
        const batch = linesOfHost(
          Array.from({ length: 100 }, (_, k) => text(n, k)),
          { checkpoint: String(n) },
        );
        expect(await telemetry.putLogs(batch)).toBe(true);
      }
      tick();
      const oldest = async () => (await telemetry.searchLogs({ limit: 1, after: 0 })).items[0]?.text.split(" ")[1];
      expect(Number(await oldest())).toBeGreaterThan(0);
      expect(Number(await oldest())).toBeLessThan(58);
      expect((await foundTexts(telemetry, { limit: 1 }))[0]).toMatch(/^line 59 /);
      const { byNode } = await telemetry.countLogs({ from: logBegin, to: logBegin + hour, stepMs: hour });
      expect(byNode[0]?.lines).toBe(100 * (60 - Number(await oldest())));
    },
    { mostLogBytes: 8 * 1024 * 1024 },
  );
}

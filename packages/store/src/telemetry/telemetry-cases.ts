import { expect } from "vitest";
import { attemptCases } from "./attempt-cases.ts";
import { logCases } from "./log-cases.ts";
import { logCountCases } from "./log-count-cases.ts";
import { logKeepCases } from "./log-keep-cases.ts";
import { minuteCases } from "./minute-cases.ts";
import { placeCases } from "./place-cases.ts";
import { openTelemetryCase, type OpenUnderTest } from "./prepare-cases.ts";
import { telemetryLimits } from "./telemetry.ts";

/** What every adapter of telemetry promises. One suite, run by each of them. */
export function telemetryCases(open: OpenUnderTest): void {
  const withTelemetry = openTelemetryCase(open);
  minuteCases(withTelemetry);
  logCases(withTelemetry);
  logCountCases(withTelemetry);
  logKeepCases(withTelemetry);
  placeCases(withTelemetry);
  attemptCases(withTelemetry);

  const at = Date.UTC(2026, 0, 1);
  const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);
  withTelemetry("what was touched and flushed is read", async (telemetry) => {
    telemetry.touch("credential/a", at, "192.0.2.1");
    telemetry.touch("credential/b", at + 1);
    await telemetry.flush();
    expect(await telemetry.lastTouched(["credential/a", "credential/b", "credential/c"])).toEqual(
      new Map([
        ["credential/a", { at, from: "192.0.2.1" }],
        ["credential/b", { at: at + 1 }],
      ]),
    );
    expect(telemetry.dropped()).toBe(0);
  });

  withTelemetry("it is empty at first, and asking for nothing gives nothing", async (telemetry) => {
    await telemetry.flush();
    expect(await telemetry.searchLogs({ limit: 10 })).toMatchObject({ items: [], more: false });
    expect(await telemetry.lastTouched([])).toEqual(new Map());
  });

  withTelemetry("the newest touch wins in either order, before, between and after flushes", async (telemetry) => {
    const touches = [
      ["later", 1, "one"],
      ["later", 2, "two"],
      ["earlier", 2, "two"],
      ["earlier", 1, "one"],
    ] as const;
    for (const between of [async () => undefined, () => telemetry.flush()]) {
      for (const [key, n, from] of touches) {
        telemetry.touch(key, at + n, from);
        await between();
      }
    }
    await telemetry.flush();
    const newest = { at: at + 2, from: "two" };
    expect(await telemetry.lastTouched(["later", "earlier"])).toEqual(
      new Map([
        ["later", newest],
        ["earlier", newest],
      ]),
    );
    telemetry.touch("later", at + 3);
    await telemetry.flush();
    expect(await telemetry.lastTouched(["later"])).toEqual(new Map([["later", { at: at + 3 }]]));
  });

  withTelemetry(
    "a full queue drops the oldest and counts them",
    async (telemetry) => {
      for (const n of upTo(8)) telemetry.touch(`key/${n}`, at + n);
      expect(telemetry.dropped()).toBe(6);
      await telemetry.flush();
      expect([...(await telemetry.lastTouched(upTo(8).map((n) => `key/${n}`))).keys()].sort()).toEqual([
        "key/6",
        "key/7",
      ]);
      expect(telemetry.dropped()).toBe(6);
    },
    { limits: { queuedTouches: 2 } },
  );

  withTelemetry(
    "a touch of a key that waits takes no second place",
    async (telemetry) => {
      for (const n of upTo(50)) telemetry.touch(`key/${n % 2}`, at + n);
      expect(telemetry.dropped()).toBe(0);
      // The one that was touched longest ago goes first.
      telemetry.touch("key/0", at + 50);
      telemetry.touch("key/2", at + 51);
      await telemetry.flush();
      const found = await telemetry.lastTouched(["key/0", "key/1", "key/2"]);
      expect(found).toEqual(
        new Map([
          ["key/0", { at: at + 50 }],
          ["key/2", { at: at + 51 }],
        ]),
      );
      expect(telemetry.dropped()).toBe(1);
    },
    { limits: { queuedTouches: 2 } },
  );

  withTelemetry("what has no form is dropped and counted, and its neighbours are kept", async (telemetry) => {
    const long = "x".repeat(telemetryLimits.nameChars + 1);
    telemetry.touch(long, at);
    telemetry.touch("key/a", Number.NaN);
    telemetry.touch("key/b", at, "x".repeat(telemetryLimits.fromChars + 1));
    await telemetry.flush();
    expect(telemetry.dropped()).toBe(3);
    expect(await telemetry.lastTouched(["key/a", "key/b"])).toEqual(new Map());
  });

  withTelemetry(
    "more than one batch is written whole, and flushes beside each other lose nothing",
    async (telemetry) => {
      const flushes = upTo(20).map((n) => {
        for (const key of [2 * n, 2 * n + 1]) telemetry.touch(`key/${key}`, at + n);
        return telemetry.flush();
      });
      await Promise.all(flushes);
      expect((await telemetry.lastTouched(upTo(40).map((n) => `key/${n}`))).size).toBe(40);
    },
    { limits: { batchRows: 3 } },
  );

  withTelemetry(
    "once a minute everything is written, and what is too old goes, part by part",
    async (telemetry, around) => {
      const { clock, tick } = around;
      const keys = upTo(25).map((n) => `key/${n}`);
      for (const [n, key] of keys.entries()) telemetry.touch(key, at + n);
      tick();
      await expect.poll(async () => (await telemetry.lastTouched(keys)).size).toBe(25);
      clock.advance(telemetryLimits.keepTouchesMs + 20);
      telemetry.touch("key/new", clock.now());
      await expect
        .poll(async () => {
          tick();
          return [...(await telemetry.lastTouched([...keys, "key/new"])).keys()].toSorted();
        })
        .toEqual([...keys.slice(20), "key/new"].toSorted());
    },
    { limits: { prunedRows: 4 } },
  );

  withTelemetry("on a disk that is nearly full touches are still written", async (telemetry, around) => {
    around.isNearlyFull = true;
    telemetry.touch("key/a", at);
    await telemetry.flush();
    expect(telemetry.dropped()).toBe(0);
    expect((await telemetry.lastTouched(["key/a"])).size).toBe(1);
  });

  withTelemetry(
    "closing flushes; afterwards nothing is accepted, nothing is found and nothing throws",
    async (telemetry, { tick }, { reopen }) => {
      telemetry.touch("key/a", at);
      await Promise.all([telemetry.close(), telemetry.close()]);
      telemetry.touch("key/a", at + 1);
      tick();
      await telemetry.flush();
      await telemetry.close();
      expect(telemetry.dropped()).toBe(1);
      expect(await telemetry.lastTouched(["key/a"])).toEqual(new Map());
      expect(await reopen().lastTouched(["key/a"])).toEqual(new Map([["key/a", { at }]]));
    },
  );

  withTelemetry("reopening finds what was flushed, and goes on from there", async (telemetry, _, { reopen }) => {
    telemetry.touch("key/a", at + 5, "192.0.2.1");
    await telemetry.close();
    const again = reopen();
    again.touch("key/a", at + 4);
    await again.flush();
    expect(await again.lastTouched(["key/a"])).toEqual(new Map([["key/a", { at: at + 5, from: "192.0.2.1" }]]));
  });

  withTelemetry("a damaged file is begun anew, with a warning", async (telemetry, { warnings }, { reopen, damage }) => {
    if (damage === undefined) return;
    telemetry.touch("key/a", at);
    await telemetry.close();
    await damage();
    const again = reopen();
    expect(await Promise.all([again.lastTouched(["key/a"]), again.searchLogs({ limit: 1 })])).toEqual([
      new Map(),
      { items: [], more: false, before: undefined, seen: 0 },
    ]);
    expect(warnings).toHaveLength(1);
    again.touch("key/a", at + 1);
    await again.flush();
    expect(await again.lastTouched(["key/a"])).toEqual(new Map([["key/a", { at: at + 1 }]]));
    expect(again.dropped()).toBe(0);
  });
}

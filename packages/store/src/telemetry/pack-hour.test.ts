import { deflateRawSync, inflateRawSync } from "node:zlib";
import { metricNames, metrics, type MetricValues } from "@gatehouse/contract/metrics";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { metricCodes } from "./metric-codes.ts";
import { emptyHour, type HourCodes, minuteMs, packHour, putMinute, readMinute, unpackHour } from "./pack-hour.ts";

const begin = Date.UTC(2026, 0, 1);
const minuteAt = (minute: number) => begin + minute * minuteMs;
const nullsAsNaN = (values: MetricValues) => values.map((value) => value ?? Number.NaN);
const upTo = (count: number) => Array.from({ length: count }, (_, n) => n);

type Told = readonly (readonly [minute: number, values: MetricValues])[];

function hourOf(told: Told): HourCodes {
  const hour = emptyHour();
  for (const [minute, values] of told) putMinute(hour, minuteAt(minute), nullsAsNaN(values));
  return hour;
}

/** The last word on each minute. */
const lastOf = (told: Told) => new Map(told);
const readAll = (hour: HourCodes) =>
  new Map(
    upTo(60).flatMap((minute) => {
      const values = readMinute(hour, minuteAt(minute));
      return values === undefined ? [] : [[minute, values] as const];
    }),
  );

/** How far a value may be from what was told. */
function errorOf(name: (typeof metricNames)[number], told: number): number {
  const { precision } = metrics[name];
  if (precision.kind === "step") return precision.step / 2 + told * 1e-12;
  if (precision.kind === "part") return Math.max(0.01, told * precision.part * 0.51);
  return 5.5;
}

const anyValues = fc.tuple(
  ...metricNames.map((name) => {
    const { most } = metrics[name];
    return fc.option(
      fc.oneof(
        fc.double({ min: 0, max: most, noNaN: true }),
        fc.double({ min: 0, max: 10, noNaN: true }),
        fc.constant(most),
        fc.constant(0),
      ),
      { freq: 5 },
    );
  }),
);
const anyTold = fc.array(fc.tuple(fc.nat(59), anyValues), { maxLength: 90 });
/** As hosts tell them: what follows is near. */
const calm = (minutes: readonly number[], more: (minute: number) => object = () => ({})): Told =>
  minutes.map((minute) => {
    const told: Record<string, number> = {
      cpu: 20 + (minute % 7) / 10,
      load: 1.25,
      memory: 40.1,
      memoryTotal: 2 ** 34,
      disk: 60,
      diskTotal: 2 ** 40,
      netIn: 1e5,
      netOut: 2e4,
      uptime: 1e6 + 60 * minute,
      cores: 8,
      ...more(minute),
    };
    return [minute, metricNames.map((name) => told[name] ?? null)];
  });

describe("an hour that is packed", () => {
  test("has every minute that was told and no other, each value within its precision", () => {
    fc.assert(
      fc.property(anyTold, (told) => {
        const packed = packHour(hourOf(told));
        const found = readAll(unpackHour(packed));
        const expected = lastOf(told);
        expect(new Set(found.keys())).toEqual(new Set(expected.keys()));
        for (const [minute, values] of expected) {
          for (const [n, name] of metricNames.entries()) {
            const value = values[n] ?? null;
            const kept = found.get(minute)?.[n] ?? null;
            if (value === null || kept === null) expect(kept).toBe(value);
            else expect(Math.abs(kept - value), `${name} ${value} ${kept}`).toBeLessThanOrEqual(errorOf(name, value));
          }
        }
      }),
    );
  });

  test("is the same after it was read and packed again, and minutes that join later change no other", () => {
    fc.assert(
      fc.property(anyTold, anyTold, (first, second) => {
        const packed = packHour(hourOf(first));
        const again = unpackHour(packed);
        expect(packHour(again)).toEqual(packed);
        const before = readAll(again);
        for (const [minute, values] of second) putMinute(again, minuteAt(minute), nullsAsNaN(values));
        const touched = lastOf(second);
        for (const [minute, values] of before) {
          if (!touched.has(minute)) expect(readMinute(unpackHour(packHour(again)), minuteAt(minute))).toEqual(values);
        }
      }),
    );
  });

  test("costs little when nothing happens, and some hundred bytes when all of it is noise", () => {
    const quiet = packHour(hourOf(calm(upTo(60)))).length;
    expect(quiet).toBeLessThan(110);
    expect(packHour(hourOf([])).length).toBeLessThan(20);
    const random = fc.sample(fc.integer({ min: 0, max: 1_000 }), { numRuns: 60 * 6, seed: 1 });
    const noisy = calm(upTo(60), (minute) => {
      const [cpu = 0, load = 0, memory = 0, disk = 0, netIn = 0, netOut = 0] = random.slice(minute * 6);
      return { cpu: cpu / 10, load: load / 100, memory: memory / 10, disk: disk / 10, netIn: 100 * netIn, netOut };
    });
    expect(packHour(hourOf(noisy)).length).toBeLessThan(700);
  });

  test("says of a host that runs on when it came up once, although clocks jitter", () => {
    const jitter = fc.sample(fc.double({ min: -1, max: 1, noNaN: true }), { numRuns: 60, seed: 2 });
    const steady = packHour(hourOf(calm(upTo(60)))).length;
    const jittered = calm(upTo(60), (minute) => ({ uptime: 1e6 + 60 * minute + (jitter[minute] ?? 0) }));
    expect(packHour(hourOf(jittered)).length).toBeLessThanOrEqual(steady + 2);
    const drifting = calm(upTo(60), (minute) => ({ uptime: 1e6 + 61 * minute }));
    for (const [minute, values] of readAll(hourOf(drifting))) {
      expect(Math.abs((values[metricNames.indexOf("uptime")] ?? 0) - (1e6 + 61 * minute))).toBeLessThan(5.6);
    }
  });

  test("knows a restart", () => {
    const restarted = calm(upTo(60), (minute) => ({
      uptime: minute < 30 ? 1e6 + 60 * minute : 60 * (minute - 30) + 7,
    }));
    const found = readAll(unpackHour(packHour(hourOf(restarted))));
    const uptimes = [29, 30, 31].map((minute) => found.get(minute)?.[metricNames.indexOf("uptime")]);
    expect(uptimes).toEqual([1e6 + 60 * 29, 7, 67]);
  });
});

test("nothing is exactly nothing, and what a column can hold at most is held", () => {
  for (const [n, { encode, decode, most }] of metricCodes.entries()) {
    const { most: largest } = metrics[metricNames[n] ?? "cpu"];
    expect(decode(encode(0, begin), begin)).toBe(0);
    for (const value of [largest, largest * 2]) {
      const code = encode(value, begin);
      expect(code).toBeLessThanOrEqual(most);
      expect(Math.abs(decode(code, begin) / largest - 1)).toBeLessThan(0.006);
    }
    expect(decode(encode(-1, begin), begin)).toBe(0);
  }
});

/** An hour of one minute as another version would write it: so many columns, and the numbers of each. */
const foreign = (columns: number, numbers: readonly number[]) =>
  Uint8Array.of(1, columns, 1, 0, 0, 0, 0, 0, 0, 0, ...numbers);

describe("an hour of another version", () => {
  test("that knew fewer metrics has nothing of the others", () => {
    // Twice the code and one more: 0.5 percent and a load of 0.03.
    const values = readMinute(unpackHour(foreign(2, [12, 8])), begin);
    expect(values).toEqual([0.5, 0.03, ...metricNames.slice(2).map(() => null)]);
  });

  test("that knew more metrics is read without them", () => {
    const more = metricNames.length + 2;
    const values = readMinute(unpackHour(foreign(more, [12, ...Array(more - 1).fill(0)])), begin);
    expect(values).toEqual([0.5, ...metricNames.slice(1).map(() => null)]);
  });

  test("and of another form is refused", () => {
    expect(() => unpackHour(foreign(2, [12, 8]).with(0, 2))).toThrow("expected version 1");
  });
});

describe("damage", () => {
  /** What is read from anything at all: an error, or values that there can be. */
  const judge = (packed: Uint8Array): "refused" | "read" => {
    let hour: HourCodes;
    try {
      hour = unpackHour(packed);
    } catch {
      return "refused";
    }
    const most = metricNames.map((name) => metrics[name].most);
    const isPossible = (value: number | null, n: number) => value === null || (value >= 0 && value <= (most[n] ?? 0));
    const impossible = [...readAll(hour).values()].filter((values) => !values.every(isPossible));
    expect(impossible).toEqual([]);
    return "read";
  };
  const plain = (packed: Uint8Array) => Uint8Array.of(1, ...inflateRawSync(packed.subarray(1)));

  test("every beginning of an hour is refused", () => {
    fc.assert(
      fc.property(anyTold, (told) => {
        const packed = packHour(hourOf(told));
        for (let end = 0; end < packed.length; end += 1) expect(judge(packed.subarray(0, end))).toBe("refused");
      }),
      { numRuns: 20 },
    );
  });

  test("every flipped bit is found or gives values that there can be", () => {
    const deflated = packHour(hourOf(calm(upTo(60))));
    for (const packed of [deflated, plain(deflated), packHour(hourOf(calm([7])))]) {
      for (let bit = 0; bit < packed.length * 8; bit += 1) {
        judge(packed.map((byte, n) => (n === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)));
      }
    }
  });

  test("bytes from anywhere are refused or give values that there can be", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(1, 0x81), (bytes, first) => {
        judge(Uint8Array.of(first, ...bytes));
      }),
    );
  });

  test("what would become large is refused before it is", () => {
    const bomb = deflateRawSync(new Uint8Array(64 * 1024 * 1024));
    expect(() => unpackHour(Uint8Array.of(0x81, ...bomb))).toThrow("larger than");
    expect(() => unpackHour(new Uint8Array(1024 * 1024).fill(1, 0, 1))).toThrow("at most");
  });
});

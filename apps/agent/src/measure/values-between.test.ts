import { type MetricName, metricNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import type { HostReading } from "./read-host.ts";
import { valuesBetween } from "./values-between.ts";

const before: HostReading = {
  monotonic: 1_000,
  processor: { busy: 100, total: 1_000 },
  cores: 4,
  load: 1.234_567,
  memory: { total: 3_000, available: 2_000 },
  uptimeSeconds: 77.81,
  traffic: new Map([
    ["eth0", { received: 1_000, sent: 500 }],
    ["eth1", { received: 0, sent: 0 }],
  ]),
  disk: { percent: 41.26, total: 10_000 },
};
const later = (more: Partial<HostReading> = {}): HostReading => ({
  ...before,
  monotonic: 61_000,
  processor: { busy: 350, total: 2_000 },
  traffic: new Map([
    ["eth0", { received: 61_000, sent: 500 }],
    ["eth1", { received: 30_000, sent: 70 }],
  ]),
  ...more,
});
const valuesOf = (from: HostReading | undefined, to: HostReading) => {
  const values = valuesBetween(from, to);
  expect(values).toHaveLength(metricNames.length);
  return Object.fromEntries(metricNames.map((name, n) => [name, values[n]])) as Record<MetricName, number | null>;
};

test("a minute has a value for each metric, with no digit that nobody keeps", () => {
  expect(valuesOf(before, later())).toEqual({
    cpu: 25,
    load: 1.23,
    memory: 33.3,
    memoryTotal: 3_000,
    disk: 41.3,
    diskTotal: 10_000,
    netIn: 1_500,
    netOut: 1,
    uptime: 78,
    cores: 4,
  });
});

const noRates = { cpu: null, netIn: null, netOut: null };
const present = { load: 1.23, memory: 33.3, disk: 41.3, cores: 4 };

test.each([
  ["without a reading before", undefined, 61_000],
  ["behind one that is less than five seconds old", before, 5_999],
  ["behind one that is older than two minutes", before, 121_001],
])("%s there are no rates, and all else is there", (_, from, monotonic) => {
  expect(valuesOf(from, later({ monotonic }))).toMatchObject({ ...noRates, ...present });
});

test("five seconds are enough, as at the start", () => {
  expect(valuesOf(before, later({ monotonic: 6_000 }))).toMatchObject({ cpu: 25, netIn: 18_000 });
});

test("a counter that went back says nothing about its minute, and nothing about the others", () => {
  const back = new Map([
    ["eth0", { received: 5, sent: 600 }],
    ["eth1", { received: 30_000, sent: 70 }],
  ]);
  expect(valuesOf(before, later({ traffic: back }))).toMatchObject({ cpu: 25, netIn: null, netOut: 3 });
  expect(valuesOf(before, later({ processor: { busy: 90, total: 2_000 } }))).toMatchObject({ cpu: null, netIn: 1_500 });
  expect(valuesOf(before, later({ processor: { busy: 100, total: 1_000 } }))).toMatchObject({ cpu: null });
});

test("time of waiting that the kernel takes back makes no more than a hundred percent", () => {
  expect(valuesOf(before, later({ processor: { busy: 1_110, total: 2_000 } })).cpu).toBe(100);
});

test("a card that has come is counted from the next minute on; one that has gone is counted no more", () => {
  const traffic = new Map([
    ["eth0", { received: 61_000, sent: 500 }],
    ["eth2", { received: 9_000_000, sent: 9_000_000 }],
  ]);
  expect(valuesOf(before, later({ traffic }))).toMatchObject({ netIn: 1_000, netOut: 0 });
  expect(valuesOf(before, later({ traffic: new Map() }))).toMatchObject({ netIn: null, netOut: null });
});

test("a host that shows nothing has nothing but nulls", () => {
  const nothing: HostReading = {
    monotonic: 61_000,
    processor: null,
    cores: null,
    load: null,
    memory: { total: null, available: null },
    uptimeSeconds: null,
    traffic: new Map(),
    disk: null,
  };
  expect(valuesBetween({ ...nothing, monotonic: 1_000 }, nothing)).toEqual(metricNames.map(() => null));
  expect(valuesOf(before, nothing).cpu).toBeNull();
});

test.each([
  [{ total: 1_000, available: null }, null],
  [{ total: 0, available: 0 }, null],
  [{ total: null, available: 10 }, null],
  [{ total: 1_000, available: 1_500 }, 0],
])("of memory %j programs use %j percent", (memory, percent) => {
  expect(valuesOf(before, later({ memory })).memory).toBe(percent);
});

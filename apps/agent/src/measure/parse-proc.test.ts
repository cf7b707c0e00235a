import { expect, test } from "vitest";
import {
  countCores,
  parseLoad,
  parseMemory,
  parseProcessorTime,
  parseTraffic,
  parseUptimeSeconds,
} from "./parse-proc.ts";

/** Debian 13, 6.12, two processors of which guests use some. */
const stat612 = `cpu  10132153 290696 3084719 46828483 16683 0 25195 1000 175628 500
cpu0 5066076 145348 1542359 23414241 8341 0 12597 500 87814 250
cpu1 5066077 145348 1542360 23414242 8342 0 12598 500 87814 250
intr 8885917 17 0 0 0 0
ctxt 1990473
btime 1062191376
processes 2915
procs_running 1
procs_blocked 0
softirq 183433 0 21755 12 39
`;
/** 2.6.9: without stolen time and guests. */
const stat26 = "cpu  4705 150 1120 16250 520 30 45\ncpu0 4705 150 1120 16250 520 30 45\nintr 12345\n";
/** 2.4: without waiting, either. */
const stat24 = "cpu  4705 150 1120 16250\ncpu0 4705 150 1120 16250\npage 5741 1808\n";

test.each([
  ["time of guests is not counted twice, and waiting is idle", stat612, 13_533_763, 60_378_929, 2],
  ["columns that an old kernel has not are nothing", stat26, 6_050, 22_820, 1],
  ["nor those that an older one has not", stat24, 5_975, 22_225, 1],
])("processor time: %s", (_, text, busy, total, cores) => {
  expect(parseProcessorTime(text)).toEqual({ busy, total });
  expect(countCores(text)).toBe(cores);
});

test("a processor that is offline has no line, and its number is not taken by the next", () => {
  expect(countCores("cpu  1 1 1 1\ncpu0 1 1 1 1\ncpu2 1 1 1 1\ncpu11 1 1 1 1\n")).toBe(3);
});

test.each(["", "cpu0 1 2 3 4\n", "cpu  1 2 3\n", "cpu  1 2 x 4\n", "cpu  1 2 -3 4\n", "cpu\n"])(
  "%j says nothing of the processor's time",
  (text) => {
    expect(parseProcessorTime(text)).toBeNull();
  },
);

test("no line of a processor is no number of them", () => {
  expect(countCores("")).toBeNull();
});

test.each([
  ["0.08 0.03 0.01 1/189 12345\n", 0.08],
  ["129.50 88.00 40.11 310/2044 991\n", 129.5],
  ["", null],
  ["-1.00 0 0", null],
  ["nan 0 0", null],
])("the load of %j is %j", (text, load) => {
  expect(parseLoad(text)).toBe(load);
});

test.each([
  ["5017.33 19002.61\n", 5_017.33],
  ["5017 19002\n", 5_017],
  ["", null],
  ["soon\n", null],
])("the uptime of %j is %j", (text, seconds) => {
  expect(parseUptimeSeconds(text)).toBe(seconds);
});

test("memory is what the kernel says of it, in bytes", () => {
  const text =
    "MemTotal:       24684096 kB\nMemFree:         1203180 kB\nMemAvailable:   18000000 kB\nBuffers:          100 kB\n";
  expect(parseMemory(text)).toEqual({ total: 24_684_096 * 1_024, available: 18_000_000 * 1_024 });
});

test.each([
  ["MemTotal:         515000 kB\nMemFree:  3 kB\n", { total: 515_000 * 1_024, available: null }],
  ["", { total: null, available: null }],
  ["MemTotal: lots\nMemAvailable:\n", { total: null, available: null }],
])("memory of %j: what is not said is not known", (text, expected) => {
  expect(parseMemory(text)).toEqual(expected);
});

test("traffic has a line for each interface, with and without a space behind the colon", () => {
  const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 15433550639 13364347    0  872    0     0          0         0 15433550639 13364347    0    0    0     0       0          0
  eth0:4475978852  120745    0    0    0     0          0         0  8131602   74697    0    0    0     0       0          0
eth0:1:      10       1    0    0    0     0          0         0       20       1    0    0    0     0       0          0
  bad0:       x       1    0    0    0     0          0         0       20       1    0    0    0     0       0          0
 short:      10       1
`;
  expect(Object.fromEntries(parseTraffic(text))).toEqual({
    lo: { received: 15_433_550_639, sent: 15_433_550_639 },
    eth0: { received: 4_475_978_852, sent: 8_131_602 },
    "eth0:1": { received: 10, sent: 20 },
  });
});

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { manualClock, systemClock } from "@gatehouse/base";
import { metricNames } from "@gatehouse/contract";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { systemTimers } from "../host/timers.ts";
import { unitFiles, unitNames } from "../host/unit-files.ts";
import { askKernelOfDisk } from "./read-disk.ts";
import { openHostReader, readUptimeMs } from "./read-host.ts";
import { valuesBetween } from "./values-between.ts";

function makeHost(files: Readonly<Record<string, string>>): string {
  const { root } = makeHostDirectory();
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}
const row = (name: string, received: number, sent: number) =>
  `${name}: ${received} 1 0 0 0 0 0 0 ${sent} 1 0 0 0 0 0 0\n`;

test("a host is read as its kernel shows it", async () => {
  const root = makeHost({
    "proc/stat": "cpu  10 0 10 70 10 0 0 0 0 0\ncpu0 10 0 10 70 10 0 0 0 0 0\n",
    "proc/loadavg": "0.50 0.40 0.30 1/100 200\n",
    "proc/meminfo": "MemTotal: 100 kB\nMemAvailable: 40 kB\n",
    "proc/uptime": "5017.33 19002.61\n",
    "proc/net/dev": `${row("lo", 1, 2)}${row("eth0", 3, 4)}`,
    "proc/self/mountinfo": "28 1 8:1 / / rw - ext4 /dev/sda rw\n",
    "sys/class/net/eth0/device/vendor": "0x1af4\n",
  });
  const askDisk = async () => ({ blocks: 100, bfree: 25, bavail: 25, frsize: 10 });
  const clock = manualClock();
  clock.advance(7);
  const readHost = openHostReader({ root, clock, timers: manualTimers(), askDisk });
  expect(await readHost()).toEqual({
    monotonic: 7,
    processor: { busy: 20, total: 100 },
    cores: 1,
    load: 0.5,
    memory: { total: 102_400, available: 40_960 },
    uptimeSeconds: 5_017.33,
    traffic: new Map([["eth0", { received: 3, sent: 4 }]]),
    disk: { percent: 75, total: 1_000 },
  });
  expect(readUptimeMs(root)).toBe(5_017_330);
});

test("a host that hides everything is read all the same", async () => {
  const { root } = makeHostDirectory();
  const readHost = openHostReader({ root, clock: manualClock(), timers: manualTimers(), askDisk: askKernelOfDisk });
  expect(valuesBetween(undefined, await readHost())).toEqual(metricNames.map(() => null));
  expect(readUptimeMs(root)).toBeNull();
});

test("this machine says all but rates at once", async () => {
  const deps = { root: "/", clock: systemClock, timers: systemTimers, askDisk: askKernelOfDisk };
  const reading = await openHostReader(deps)();
  expect(reading.processor?.total).toBeGreaterThan(0);
  const values = valuesBetween(undefined, reading);
  const unsaid = metricNames.filter((_, n) => values[n] === null);
  expect(unsaid).toEqual(["cpu", "netIn", "netOut"]);
});

test("the agent's unit hides nothing that is read", () => {
  const unit = unitFiles[unitNames.agent] ?? "";
  expect(unit).toContain("ProtectProc=invisible");
  expect(unit).not.toContain("ProcSubset");
  expect(unit).not.toContain("PrivateNetwork");
  expect(unit).not.toContain("InaccessiblePaths");
  expect(unit).toContain("SystemCallFilter=@system-service");
});

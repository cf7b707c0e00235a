import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { agentPaths } from "../../apps/agent/src/config.ts";
import type { RunOnHost } from "../../apps/agent/src/host/run-on-host.ts";
import { deadmanUnits, serviceSettings, unitFiles, unitNames } from "../../apps/agent/src/host/unit-files.ts";
import { findUptime } from "../../apps/agent/src/local/uptime.ts";
import { deadmanSettings } from "../../apps/agent/src/safety/deadman-units.ts";
import { openDeadman } from "../../apps/agent/src/safety/open-deadman.ts";
import { until } from "../support/until.ts";
import { repository } from "./image.ts";
import { type ManagedHost, startHost } from "./managed-host.ts";

/** The timer that takes changes back, under a real systemd. */
let host: ManagedHost;

const paths = agentPaths();
const task = `task_${"0".repeat(25)}1`;
const other = `task_${"0".repeat(25)}2`;
const said = "/var/lib/gatehouse/said";

/** In the place of the program that takes changes back: says what it was asked, where and when, and ends as it is told. */
const standIn = `#!/bin/sh
cut -d ' ' -f 1 /proc/uptime > /var/lib/gatehouse/uptime
env > /var/lib/gatehouse/env
touch /etc/written 2> /var/lib/gatehouse/refused
systemctl kill -s KILL gatehouse-helper.service
test "$2" = run && systemctl stop gatehouse-deadman.timer 2> /dev/null
test "$1" = boot && nft add table inet kept
echo "$*" >> ${said}
echo "deadman.nothing: there is no such change" >&2
exit $(cat /var/lib/gatehouse/exit)
`;

const run: RunOnHost = (program, args) => host.run(program, ...args);
const inHelper = serviceSettings(unitNames.helper, ["Type", "ExecStart"]).map((line) => `--property=${line}`);
const runInHelper: RunOnHost = (program, args) =>
  host.run("systemd-run", "--quiet", "--pipe", "--wait", "--collect", ...inHelper, "--", program, ...args);
// One kernel: the uptime of the host is that of the machine.
const deadman = openDeadman({ paths, run, findUptime: () => findUptime("/") });

const words = async () => (await host.run("cat", said)).stdout;
const units = () => host.shell("systemctl list-units --all --plain --no-legend 'gatehouse-deadman*'");
const show = async (unit: string, property: string) =>
  (await host.shell(`systemctl show ${unit} --property=${property} --value`)).trim();
const elapses = async () =>
  Number(
    (
      await host.shell(
        "busctl get-property org.freedesktop.systemd1 /org/freedesktop/systemd1/unit/gatehouse_2ddeadman_2etimer org.freedesktop.systemd1.Timer NextElapseUSecMonotonic",
      )
    ).split(" ")[1],
  );

beforeAll(async () => {
  host = await startHost("alpha");
  await host.shell("mkdir -p -m 700 /var/lib/gatehouse");
  await host.write(paths.rescue, standIn, "755");
  for (const [name, text] of Object.entries(unitFiles)) await host.write(join(paths.units, name), text);
  await host.shell("systemctl daemon-reload");
});
afterAll(() => host.remove());
beforeEach(() => host.shell(`rm -f ${said}; echo 0 > /var/lib/gatehouse/exit`));

describe("armed", () => {
  test("no reload of systemd moves it", async () => {
    await deadman.arm(task, 600);
    const before = await elapses();
    await host.shell("for time in 1 2 3 4; do systemctl daemon-reload; done");
    // What systemd writes down of it has milliseconds.
    expect(Math.abs((await elapses()) - before)).toBeLessThan(1_000);
    await deadman.stop();
  });

  test("it fires at its time with its own words, while systemd is reloaded again and again, and nothing is left of it", async () => {
    await host.shell("systemctl set-environment BUN_OPTIONS=--preload=/etc/evil LAB=here");
    const { deadlineMs } = await deadman.arm(task, 3);
    await until("it has fired", async () => {
      await host.run("systemctl", "daemon-reload");
      return (await words()) !== "";
    });
    expect(await words()).toBe(`deadman run --task ${task}\n`);
    const late = Number(await host.read("/var/lib/gatehouse/uptime")) * 1_000 - deadlineMs;
    console.log(`fired ${late.toFixed(0)} ms after the deadline that was told`);
    // The kernel tells its uptime in hundredths.
    expect(late).toBeGreaterThanOrEqual(-10);
    const environment = await host.read("/var/lib/gatehouse/env");
    expect(environment).toContain("LAB=here");
    expect(environment).not.toContain("BUN_OPTIONS");
    expect(await host.read("/var/lib/gatehouse/refused")).toContain("Read-only file system");
    await until("no unit is left", async () => (await units()) === "");
  });

  test("a second one is refused and the first stays; stopped, neither is left, and stopping nothing is harmless", async () => {
    await deadman.arm(task, 600);
    const before = await elapses();
    await expect(deadman.arm(other, 10)).rejects.toThrowError(/^deadman\.arm: /);
    expect(await elapses()).toBe(before);
    await deadman.stop();
    expect(await units()).toBe("");
    await deadman.stop();
    // The name is free at once.
    await deadman.arm(other, 600);
    await deadman.stop();
    expect(await words()).toBe("");
  });

  test("a timer by a clock that is off, as after a sleep, is armed anew and then right", async () => {
    const ahead = 7_000;
    const asleep = openDeadman({
      paths,
      run,
      findUptime: () => ({ boot: "", ms: (findUptime("/")?.ms ?? 0) + ahead }),
    });
    await asleep.arm(task, 600);
    const entered = Number(await show(deadmanUnits.timer, "ActiveEnterTimestampMonotonic"));
    const off = (await elapses()) - entered - 600_000_000;
    console.log(`off by ${(off / 1_000).toFixed(0)} ms`);
    expect(Math.abs(off)).toBeLessThanOrEqual(1_000_000);
    await deadman.stop();
  });

  test("the helper may do all of this within its own bounds", async () => {
    const bounded = openDeadman({ paths, run: runInHelper, findUptime: () => findUptime("/") });
    await bounded.check(task);
    await bounded.fire(task);
    await until("it has run", async () => (await words()).endsWith(`deadman run --task ${task}\n`));
    await until("no unit is left", async () => (await units()) === "");
    await bounded.stop();
  });

  test("somebody else's unit of that name is not replaced", async () => {
    await host.write("/etc/systemd/system/gatehouse-deadman.service", "[Service]\nExecStart=/bin/true\n");
    await host.shell("systemctl daemon-reload");
    await expect(deadman.arm(task, 600)).rejects.toThrowError(/^deadman\.arm: /);
    await host.shell("rm /etc/systemd/system/gatehouse-deadman.service; systemctl daemon-reload");
    expect(await units()).toBe("");
  });
});

describe("fired early", () => {
  test("the unit that waits runs now, and stops its own timer", async () => {
    await deadman.arm(task, 600);
    await deadman.fire(task);
    await until("it has run", async () => (await words()) === `deadman run --task ${task}\n`);
    await until("no unit is left", async () => (await units()) === "");
  });

  test("without one, as after a boot, it runs all the same; failing it is tried again, and with nothing to do it is not", async () => {
    await host.shell("echo 1 > /var/lib/gatehouse/exit");
    await deadman.fire(task);
    const run = `deadman run --task ${task}\n`;
    await until("it has run twice", async () => (await words()).startsWith(run.repeat(2)));
    await host.shell("echo 65 > /var/lib/gatehouse/exit");
    await until("it has ended", async () => (await show(deadmanUnits.service, "ActiveState")) === "failed");
    // What an ended change has left keeps no other from being begun.
    await deadman.arm(other, 600);
    await deadman.stop();
    expect(await units()).toBe("");
  });
});

describe("the trial", () => {
  test("runs the program as the timer would, and says what it said when it fails", async () => {
    await deadman.check(task);
    expect(await words()).toBe(`deadman check --task ${task}\n`);
    await host.shell("echo 65 > /var/lib/gatehouse/exit");
    await expect(deadman.check(task)).rejects.toThrowError(
      "deadman.check: expected exit 0, found 65: deadman.nothing: there is no such change",
    );
    expect(await units()).toBe("");
  });

  test("refuses a program that is gone or damaged", async () => {
    await host.shell(`mv ${paths.rescue} ${paths.rescue}.kept`);
    await expect(deadman.check(task)).rejects.toThrowError(/^deadman\.check: expected exit 0, found \d+/);
    await host.write(paths.rescue, new Uint8Array(4_096), "755");
    await expect(deadman.check(task)).rejects.toThrowError(/^deadman\.check: expected exit 0, found \d+/);
    await host.shell(`mv ${paths.rescue}.kept ${paths.rescue}`);
  });

  test("the compiled agent starts within its bounds", async () => {
    const program = "/usr/lib/gatehouse/gatehouse-agent";
    await host.write(program, readFileSync(join(repository, "dist/agent", process.arch, "gatehouse-agent")), "755");
    const bounds = [...deadmanSettings(""), "Restart=no"].map((line) => `--property=${line}`);
    const ran = await host.run(
      "systemd-run",
      "--quiet",
      "--pipe",
      "--wait",
      "--collect",
      ...bounds,
      program,
      "--version",
    );
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringMatching(/^gatehouse-agent \d/), stderr: "" });
  });
});

test("at boot it runs before the network and after what empties the rule set", async () => {
  await host.write("/etc/nftables.conf", "flush ruleset\ntable inet of_host {\n}\n");
  await host.shell(`systemctl enable nftables.service ${unitNames.boot} ${unitNames.socket}`);
  await host.shell("groupadd --system gatehouse");
  await host.restart();
  expect(await show(unitNames.boot, "ActiveState,Result")).toBe("success\nactive");
  expect(await words()).toBe("boot\n");
  expect(await host.shell("nft list tables")).toBe("table inet of_host\ntable inet kept\n");
  const began = async (unit: string) => Number(await show(unit, "ActiveEnterTimestampMonotonic"));
  const order = await Promise.all(
    ["nftables.service", unitNames.boot, "network-pre.target", unitNames.socket].map(began),
  );
  expect(order).toEqual(order.toSorted((one, another) => one - another));
  expect(order.every((time) => time > 0)).toBe(true);
  expect(await host.shell("systemctl --failed --plain --no-legend")).toBe("");
});

import { systemctlWords, usualPlaces, workOfOperation } from "@gatehouse/plan";
import { expect, test } from "vitest";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { recordedHost } from "../../test/recorded-host.ts";
import type { HostRun } from "../host/run-on-host.ts";
import { changeService } from "./change-service.ts";

const unit = "nginx.service";
const operation = { kind: "service.restart", unit } as const;

const shown = (values: Readonly<Record<string, string>> = {}) => {
  const all = {
    LoadState: "loaded",
    ActiveState: "active",
    Type: "simple",
    Result: "success",
    NeedDaemonReload: "no",
    RefuseManualStart: "no",
    RefuseManualStop: "no",
    InvocationID: "one",
    ...values,
  };
  return {
    stdout: Object.entries(all)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(""),
  };
};

function setUp(answers: Readonly<Record<string, Partial<HostRun> | undefined>> = {}) {
  const { root, owner, paths } = makeHostDirectory();
  const { run, lines } = recordedHost({ "systemctl show": shown(), ...answers });
  let paused = 0;
  const pause = (ms: number) => {
    paused += ms;
    return Promise.resolve();
  };
  const ground = { root, owner, run, directory: paths.snapshots, pause };
  const started = () => lines.filter((line) => !line.startsWith("systemctl show"));
  return { ground, lines, started, paused: () => paused };
}

const said = "line one\nline \u001b[31mtwo\n";

test("it is restarted, and watched for a while", async () => {
  const { ground, started, paused } = setUp();
  await changeService.validate(ground, operation);
  await changeService.apply(ground, operation);
  expect(started()).toEqual([`systemctl restart ${unit}`]);
  expect(paused()).toBe(3_000);
  expect(await changeService.isApplied(ground, operation)).toBe(true);
});

test("systemd reads its files again first, when they are others by now", async () => {
  const { ground, started } = setUp({ "systemctl show": shown({ NeedDaemonReload: "yes" }) });
  await changeService.apply(ground, operation);
  expect(started()).toEqual(["systemctl daemon-reload", `systemctl restart ${unit}`]);
});

test("one whose files systemd cannot read again is not restarted with the old ones", async () => {
  const { ground, started } = setUp({
    "systemctl show": shown({ NeedDaemonReload: "yes" }),
    "systemctl daemon-reload": { code: 1, stderr: "Access denied" },
  });
  await expect(changeService.apply(ground, operation)).rejects.toThrow(
    "apply.failed: systemctl ended with 1 and said: Access denied",
  );
  expect(started()).toEqual(["systemctl daemon-reload"]);
});

test("one that reloads its settings is up, and counts as one that ran", async () => {
  const { ground, started } = setUp({ "systemctl show": shown({ ActiveState: "reloading" }) });
  expect(await changeService.isApplied(ground, operation)).toBe(true);
  await changeService.restore(ground, unit, await changeService.snapshot(ground, unit));
  expect(started()).toContain(`systemctl restart ${unit}`);
});

test("a systemd that knows none of what is asked names no unit that is up", async () => {
  const { ground } = setUp({ "systemctl show": { stdout: "" } });
  expect(await changeService.isApplied(ground, operation)).toBe(false);
});

test("one that does its work and ends is up when it has done it", async () => {
  const done = shown({ Type: "oneshot", ActiveState: "inactive" });
  const { ground } = setUp({ "systemctl show": done });
  await changeService.apply(ground, operation);
  expect(await changeService.isApplied(ground, operation)).toBe(true);
});

test.each([
  ["is not there", { LoadState: "not-found" }, "expected a unit, found not-found"],
  ["systemd says nothing of", { LoadState: "" }, "expected a unit, found nothing"],
  ["lets nobody start it", { RefuseManualStart: "yes" }, "lets nobody start or stop it by hand"],
  ["lets nobody stop it", { RefuseManualStop: "yes" }, "lets nobody start or stop it by hand"],
])("one that %s is found before anything is changed", async (_, values, words) => {
  const { ground, started } = setUp({ "systemctl show": shown(values) });
  await expect(changeService.validate(ground, operation)).rejects.toThrow(`validate.failed: ${unit}: `);
  await expect(changeService.validate(ground, operation)).rejects.toThrow(words);
  expect(started()).toEqual([]);
});

test("one that cannot be restarted is told with its last ten lines", async () => {
  const { ground, started } = setUp({
    "systemctl restart": { code: 1, stderr: "Job failed.\n" },
    journalctl: { stdout: said },
  });
  await expect(changeService.apply(ground, operation)).rejects.toThrow(
    `apply.failed: ${unit}: systemctl ended with 1 and said: Job failed. | line one | line  [31mtwo`,
  );
  expect(started().at(-1)).toBe(`journalctl --unit ${unit} --lines 10 --output cat --no-pager --quiet`);
});

test.each([
  ["has ended", { ActiveState: "failed" }, "expected it to stay up, found it failed"],
  ["was started once more", { InvocationID: "two" }, "expected it to stay up, found it started once more by systemd"],
])("one that %s within the next seconds did not stay up", async (_, values, words) => {
  let looks = 0;
  const { ground } = setUp();
  const run: typeof ground.run = async (program, args) => {
    if (args[0] !== "show") return { code: 0, stdout: program === "journalctl" ? said : "", stderr: "" };
    looks += 1;
    return { code: 0, stderr: "", ...shown(looks > 4 ? values : {}) };
  };
  await expect(changeService.apply({ ...ground, run }, operation)).rejects.toThrow(
    `apply.failed: ${unit}: ${words} | line one`,
  );
});

test("taken back, it is started once more with what was put back", async () => {
  const { ground, started } = setUp();
  const copy = await changeService.snapshot(ground, unit);
  await changeService.prove(ground, unit, copy);
  await changeService.restore(ground, unit, copy);
  expect(started()).toEqual([`systemctl reset-failed ${unit}`, `systemctl restart ${unit}`]);
});

test.each(["reloading", "activating"])("taken back, one that was %s before is not left stopped", async (active) => {
  const { ground } = setUp({ "systemctl show": shown({ ActiveState: active }) });
  const copy = await changeService.snapshot(ground, unit);
  const { ground: later, started } = setUp();
  await changeService.restore(later, unit, copy);
  expect(started()).toContain(`systemctl restart ${unit}`);
});

test("taken back, one that did not run before is stopped", async () => {
  const { ground, started } = setUp({ "systemctl show": shown({ ActiveState: "inactive" }) });
  await changeService.restore(ground, unit, await changeService.snapshot(ground, unit));
  expect(started()).toEqual([`systemctl stop ${unit}`]);
});

test("taken back, one that did not run before is no more what its other unit file said", async () => {
  const { ground, started } = setUp({
    "systemctl show": shown({ ActiveState: "inactive", NeedDaemonReload: "yes" }),
  });
  await changeService.restore(ground, unit, await changeService.snapshot(ground, unit));
  expect(started()).toEqual([`systemctl stop ${unit}`, "systemctl daemon-reload"]);
});

test.each([
  ["active", "restart"],
  ["inactive", "stop"],
])("without time left, one that was %s before is told to %s and not waited for", async (active, verb) => {
  const { ground, started, paused } = setUp({ "systemctl show": shown({ ActiveState: active }) });
  const copy = await changeService.snapshot(ground, unit);
  await expect(changeService.restore({ ...ground, isHurried: true }, unit, copy)).rejects.toThrow(
    `service.down: ${unit}: expected time to see what becomes of it, found none left after the others`,
  );
  expect(started().at(-1)).toBe(`systemctl ${verb} --no-block ${unit}`);
  expect(paused()).toBe(0);
});

test.each([
  ["active", "try-restart"],
  ["inactive", "try-restart"],
  ["failed", "restart"],
])("at boot, one that is found %s is started anew only where systemd has started it", async (active, verb) => {
  const { ground } = setUp();
  const copy = await changeService.snapshot(ground, unit);
  const { ground: booting, started } = setUp({ "systemctl show": shown({ ActiveState: active }) });
  await changeService.restore({ ...booting, isBoot: true }, unit, copy);
  expect(started()).toEqual([`systemctl ${verb} --no-block ${unit}`]);
});

test("taken back, one that cannot be stopped is told as one that is not as it was", async () => {
  const { ground } = setUp({
    "systemctl show": shown({ ActiveState: "inactive" }),
    "systemctl stop": { code: 1, stderr: "Job canceled." },
  });
  const copy = await changeService.snapshot(ground, unit);
  await expect(changeService.restore(ground, unit, copy)).rejects.toThrow(
    "service.down: systemctl ended with 1 and said: Job canceled.",
  );
});

test("one that stays down with all that was put back is told as that", async () => {
  const { ground } = setUp({ "systemctl restart": { code: 1, stderr: "Job failed." }, journalctl: undefined });
  const copy = await changeService.snapshot(ground, unit);
  await expect(changeService.restore(ground, unit, copy)).rejects.toThrow(
    `service.down: ${unit}: systemctl ended with 1`,
  );
});

test("a systemd that does not answer is told by each step", async () => {
  const { ground } = setUp({ "systemctl show": { code: null, cut: "time" } });
  await expect(changeService.validate(ground, operation)).rejects.toThrow("validate.failed: systemctl took too long");
  await expect(changeService.snapshot(ground, unit)).rejects.toThrow("snapshot.failed: systemctl took too long");
  await expect(changeService.apply(ground, operation)).rejects.toThrow("apply.failed: systemctl took too long");
  await expect(changeService.isApplied(ground, operation)).rejects.toThrow("check.failed: systemctl took too long");
});

test.each([
  ["no copy", unit, null],
  ["another copy", unit, new TextEncoder().encode("{}")],
  ["another name", "x; reboot.service", new TextEncoder().encode('{"ran": true, "v": 1}')],
])("%s starts nothing", async (_, target, copy) => {
  const { ground, started } = setUp();
  await expect(changeService.prove(ground, target, copy)).rejects.toThrow("snapshot.unprovable: expected");
  await expect(changeService.restore(ground, target, copy)).rejects.toThrow("restore.failed: expected");
  expect(started()).toEqual([]);
});

/** All that is started for one that was so before, whether it can be made or not. */
async function linesOf(before: string, answers?: Parameters<typeof setUp>[0]): Promise<string[]> {
  const earlier = setUp({ "systemctl show": shown({ ActiveState: before }) });
  const copy = await changeService.snapshot(earlier.ground, unit);
  const { ground, lines } = setUp(answers);
  await changeService.validate(ground, operation);
  await changeService.apply(ground, operation).catch(() => undefined);
  await changeService.isApplied(ground, operation);
  await changeService.restore(ground, unit, copy).catch(() => undefined);
  return lines;
}

/** The same when it is taken back at boot, or with no time left. */
async function restoredLines(before: string, way: { isBoot?: boolean; isHurried?: boolean }): Promise<string[]> {
  const { ground, lines } = setUp({ "systemctl show": shown({ ActiveState: before }) });
  const copy = await changeService.snapshot(ground, unit);
  await changeService.restore({ ...ground, ...way }, unit, copy).catch(() => undefined);
  return lines;
}

test("it explains every program that it may start, and that it writes nothing", async () => {
  const runs = [
    await linesOf("active", { "systemctl show": shown({ NeedDaemonReload: "yes" }) }),
    await linesOf("active", { "systemctl restart": { code: 1 } }),
    await linesOf("inactive"),
    await restoredLines("active", { isHurried: true }),
    await restoredLines("inactive", { isHurried: true }),
    await restoredLines("active", { isBoot: true }),
    [`systemctl ${systemctlWords.state(unit).join(" ")}`],
  ];
  const { files, programs } = workOfOperation(operation, usualPlaces);
  expect(files).toEqual([]);
  const explained = new Set(programs.map(({ argv }) => argv.join(" ")));
  expect([...new Set(runs.flat())].toSorted()).toEqual([...explained].toSorted());
  expect(programs.filter(({ step }) => step === "restore").map(({ argv }) => argv[1])).toEqual([
    "daemon-reload",
    "reset-failed",
    "restart",
    "stop",
    "restart",
    "try-restart",
    "stop",
  ]);
});

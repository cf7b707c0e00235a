import { byteForm, readByteForm } from "@gatehouse/base";
import { joinServiceWords } from "@gatehouse/contract";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import { journalWords, operations, systemctlWords } from "@gatehouse/plan";
import * as z from "zod";
import { sayFailedProgram } from "./failed-program.ts";
import type { ChangeGround, HostChange } from "./host-operation.ts";
import { parseShown } from "./parse-shown.ts";
import { visibleLine } from "./visible-line.ts";

/** For one program. A service may take its time to start; beyond that the window of the change is over for most. */
const mostMs = { program: 30_000, start: 100_000, startAgain: 45_000 };

/** For so long a service that was started has to stay up. One that ends at once is seen to have failed. */
const watched = { looks: 6, pauseMs: 500 };

/** Also one that takes long to start, or that systemd starts again and again: to stop it would not be what was there. */
const ranStates: ReadonlySet<string> = new Set(["active", "reloading", "activating"]);

/**
 * A restart interrupts what ran, and nothing brings that back. The copy only says whether the service ran: when the change is taken
 * back it is started once more, with the files that were put back, or stopped again.
 */
export const changeService: HostChange<"service.restart"> = {
  validate: async (ground, { unit }) => {
    const shown = await showUnit(ground, unit, "validate.failed");
    if (shown.load !== "loaded")
      throw fault("validate.failed", `${unit}: expected a unit, found ${shown.load || "nothing"}`);
    if (shown.isRefused) throw fault("validate.failed", `${unit}: its unit file lets nobody start or stop it by hand`);
  },
  snapshot: async (ground, target) => {
    const { active } = await showUnit(ground, getUnit(target, "snapshot.failed"), "snapshot.failed");
    return byteForm({ v: 1, ran: ranStates.has(active) });
  },
  prove: async (_ground, target, copy) => {
    getUnit(target, "snapshot.unprovable");
    readCopy(copy, "snapshot.unprovable");
  },
  apply: (ground, { unit }) => startAnew(ground, unit, { startMs: mostMs.start, failed: "apply.failed" }),
  isApplied: async (ground, { unit }) => (await showUnit(ground, unit, "check.failed")).isUp,
  restore: async (ground, target, copy) => {
    const unit = getUnit(target, "restore.failed");
    const { ran } = readCopy(copy, "restore.failed");
    if (ground.isBoot === true) return startAtBoot(ground, unit);
    // One that failed too often is not started by systemd any more.
    if (ran) await ground.run("systemctl", systemctlWords.resetFailed(unit), mostMs.program);
    if (ground.isHurried === true) return orderOnly(ground, unit, ran ? "restart" : "stop");
    if (ran) return startAnew(ground, unit, { startMs: mostMs.startAgain, failed: "service.down" });
    await systemctl(ground, systemctlWords.stop(unit), mostMs.startAgain, "service.down");
    // Whatever starts it next is to find the unit file that was put back.
    return readAnew(ground, unit, "service.down");
  },
  isRestoredLast: true,
};

interface StartWish {
  readonly startMs: number;
  readonly failed: FaultCode;
}

/** Restarts it and looks whether it stays up. Throws the fault with the last that the service said. */
async function startAnew(ground: ChangeGround, unit: string, { startMs, failed }: StartWish): Promise<void> {
  await readAnew(ground, unit, failed);
  const ran = await ground.run("systemctl", systemctlWords.restart(unit), startMs);
  if (ran.code !== 0) throw await fallen(ground, unit, sayFailedProgram("systemctl", ran), failed);
  const { invocation } = await showUnit(ground, unit, failed);
  for (let look = 0; look < watched.looks; look += 1) {
    const shown = await showUnit(ground, unit, failed);
    const found = shown.isUp ? "started once more by systemd" : shown.active;
    if (!shown.isUp || shown.invocation !== invocation)
      throw await fallen(ground, unit, `expected it to stay up, found it ${found}`, failed);
    await ground.pause(watched.pauseMs);
  }
}

/** Its unit file may be another since systemd read it. */
async function readAnew(ground: ChangeGround, unit: string, failed: FaultCode): Promise<void> {
  if ((await showUnit(ground, unit, failed)).isOutdated)
    await systemctl(ground, systemctlWords.reload, mostMs.program, failed);
}

/** Nothing at boot waits for its files to be put back: it may run with those of the change, or have failed with them. */
async function startAtBoot(ground: ChangeGround, unit: string): Promise<void> {
  const { active } = await showUnit(ground, unit, "service.down");
  const verb = active === "failed" ? "restart" : "try-restart";
  await systemctl(ground, systemctlWords.order(verb, unit), mostMs.program, "service.down");
}

/** Leaves it to systemd. Nobody has seen it up: it is told as down. */
async function orderOnly(ground: ChangeGround, unit: string, verb: "restart" | "stop"): Promise<never> {
  await readAnew(ground, unit, "service.down");
  await systemctl(ground, systemctlWords.order(verb, unit), mostMs.program, "service.down");
  throw fault("service.down", `${unit}: expected time to see what becomes of it, found none left after the others`);
}

/** With its last ten lines: whoever reads it is not on the host. */
async function fallen(ground: ChangeGround, unit: string, why: string, failed: FaultCode): Promise<Error> {
  const { code, stdout } = await ground.run("journalctl", journalWords(unit), mostMs.program);
  const shown = stdout
    .trim()
    .split("\n")
    .map((line) => visibleLine(line, mostShown));
  const lines = code === 0 ? shown.filter(Boolean) : [];
  return fault(failed, joinServiceWords(`${unit}: ${why}`, lines));
}

/** Characters of a line: a service writes what it likes. */
const mostShown = 200;

interface ShownUnit {
  readonly load: string;
  readonly active: string;
  /** Also one that has done its work and is not meant to stay. */
  readonly isUp: boolean;
  readonly isOutdated: boolean;
  readonly isRefused: boolean;
  /** Another one for each start. */
  readonly invocation: string;
}

async function showUnit({ run }: ChangeGround, unit: string, failed: FaultCode): Promise<ShownUnit> {
  const ran = await run("systemctl", systemctlWords.show(unit), mostMs.program);
  if (ran.code !== 0) throw fault(failed, sayFailedProgram("systemctl", ran));
  const value = (name: string) => parseShown(ran.stdout)[0]?.get(name)?.[0] ?? "";
  const active = value("ActiveState");
  const isDone = value("Type") === "oneshot" && active === "inactive" && value("Result") === "success";
  return {
    load: value("LoadState"),
    active,
    isUp: active === "active" || active === "reloading" || isDone,
    isOutdated: value("NeedDaemonReload") === "yes",
    isRefused: value("RefuseManualStart") === "yes" || value("RefuseManualStop") === "yes",
    invocation: value("InvocationID"),
  };
}

async function systemctl(ground: ChangeGround, words: readonly string[], ms: number, failed: FaultCode): Promise<void> {
  const ran = await ground.run("systemctl", words, ms);
  if (ran.code !== 0) throw fault(failed, sayFailedProgram("systemctl", ran));
}

/** The name went through the schema when the change was judged; whoever brings it back from a file is not taken at their word. */
function getUnit(target: string, failed: FaultCode): string {
  const { success } = operations["service.restart"].schema.shape.unit.safeParse(target);
  if (!success) throw fault(failed, "expected the name of a service, found something else");
  return target;
}

const copyForm = z.strictObject({ v: z.literal(1), ran: z.boolean() });

function readCopy(copy: Uint8Array | null, failed: FaultCode): z.output<typeof copyForm> {
  const read = copyForm.safeParse(copy === null ? undefined : readByteForm(copy, { depth: 2, keys: 4, items: 4 }));
  if (!read.success) throw fault(failed, "expected whether the service ran, found something else");
  return read.data;
}

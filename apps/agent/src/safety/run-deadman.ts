import type { Report } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract/faults";
import { deadmanUnits, unitNames } from "../host/unit-files.ts";
import type { ChangeDeps, Deadman } from "./change.ts";
import { tryStop } from "./end-change.ts";
import { proveSnapshot } from "./keep-snapshot.ts";
import { type Settled, settleOpenChange } from "./settle-change.ts";
import { hasManifest, isMarked, readSnapshot } from "./snapshot-files.ts";

/** Takes a change back, in the unit that the timer starts. Whatever is left to do afterwards throws: systemd starts it again. */
export async function runDeadman(given: ChangeDeps, task: string): Promise<Report> {
  const deps = { ...given, deadman: withinUnit(given) };
  if (await mayBeUnderWay(deps, task)) await killHelper(deps);
  const settled = await settleOpenChange(deps, { task, isBoot: false });
  await tryStop(deps);
  return settledReport(settled, `The change ${task} has ended before.`);
}

/**
 * A change that has ended is nobody's any more: the helper may go on telling of it, or be at the next one. By the snapshot, which goes
 * with its end, and not by the journal: a helper that hangs may hold that.
 */
async function mayBeUnderWay(deps: ChangeDeps, task: string): Promise<boolean> {
  return (await hasManifest(deps, task)) && !(await isMarked(deps, task, "unrestored"));
}

/** Whether that would work, without doing it. Throws why not. */
export async function checkDeadman(deps: ChangeDeps, task: string): Promise<Report> {
  const slot = await (await deps.openJournal()).look();
  if (slot?.task !== task) throw fault("deadman.nothing", `expected ${task}, found ${slot?.task ?? "no open change"}`);
  if (slot.state === "accepted") throw fault("deadman.nothing", `expected "snapshotted", found "accepted"`);
  const { manifest } = await readSnapshot(deps, task);
  const found = manifest.copies.map(({ subject, sha256 }) => `${subject} ${sha256}`);
  const expected = slot.copies.map(({ subject, sha256 }) => `${subject} ${sha256}`);
  if (found.join("\n") !== expected.join("\n")) {
    throw fault("snapshot.unprovable", `expected ${expected.join(", ")}, found ${found.join(", ")}`);
  }
  await proveSnapshot(deps, task);
  return { ok: true, lines: [`The change ${task} can be taken back.`], json: { task } };
}

/** systemd answers at once or not at all; what is left of the unit's own time belongs to putting the host back. */
const askMs = 10_000;

/** Nobody goes on with the change while it is taken back. There may be no helper to end. */
export async function killHelper({ run, log }: Pick<ChangeDeps, "run" | "log">): Promise<void> {
  const args = ["kill", "--signal=KILL", unitNames.helper];
  const { code, stderr } = await run("systemctl", args, askMs);
  if (code !== 0 && !/not loaded/.test(stderr)) log(`the helper could not be ended: ${stderr.trim()}`);
}

/** What settled changes are told as. */
export function settledReport({ changes, damage }: Settled, otherwise: string): Report {
  const lines = changes.map(({ task, outcome }) => `The change ${task} has ended: ${outcome}.`);
  const first = lines.length === 0 ? [otherwise] : lines;
  return {
    ok: true,
    lines: damage === undefined ? first : [...first, damage],
    json: { changes: changes.map((change) => ({ ...change })), damage: damage ?? null },
  };
}

/** Only the timer is stopped: to stop the service would be to end this very process. */
function withinUnit({ deadman, run }: ChangeDeps): Deadman {
  return {
    ...deadman,
    stop: async () => {
      await run("systemctl", ["stop", deadmanUnits.timer], askMs);
    },
  };
}

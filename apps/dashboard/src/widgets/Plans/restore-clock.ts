import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { isArmed, isTaskEnd } from "./task-words.ts";

export interface RestoreClockWords {
  /** Per cent of the window that are over. */
  readonly passed: number;
  readonly words: string;
  /** Nearer to being taken back than to having just begun. */
  readonly isLate: boolean;
}

const lateMs = 30_000;

/** How long a host still waits before it takes the change back by itself. The server may hear of its end a moment after that. */
export function restoreClock(armedAt: string, window: number, now: number): RestoreClockWords {
  const whole = window * 1_000;
  const left = Math.min(whole, Math.max(0, Date.parse(armedAt) + whole - now));
  const passed = Math.round((1 - left / whole) * 1_000) / 10;
  const seconds = Math.ceil(left / 1_000);
  const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const words = left === 0 ? "its time is over" : `restores itself in ${clock}`;
  return { passed, words, isLate: left < lateMs };
}

export interface NextToRestore {
  readonly name: string;
  readonly seconds: number;
}

/** Of the hosts that are armed, the one whose time is over first. Undefined where none is known to be. */
export function nextToRestore(
  tasks: readonly PlanTask[],
  approvals: Plan["approvals"],
  now: number,
): NextToRestore | undefined {
  const windows = windowsOf(approvals);
  const ends = tasks.flatMap(({ name, state, step, approval }) => {
    const window = windows.get(approval ?? "");
    const armedAt = step?.armedAt ?? null;
    if (isTaskEnd(state) || !isArmed({ state, step }) || armedAt === null || window === undefined) return [];
    return [{ name, at: Date.parse(armedAt) + window * 1_000 }];
  });
  const next = ends.filter(({ at }) => at > now).toSorted((a, b) => a.at - b.at)[0];
  return next && { name: next.name, seconds: Math.ceil((next.at - now) / 1_000) };
}

/** How long each approval lets a host wait for its proof, in seconds. */
export function windowsOf(approvals: Plan["approvals"]): ReadonlyMap<string, number> {
  return new Map(approvals.map(({ id, rollbackWindow }) => [id, rollbackWindow]));
}

/** A host that says nothing for so long has been lost on the way, or has much to do. */
const silentMs = 60_000;

/** Of those under way the ones to watch: soon to be taken back, or silent before their timer was set. */
export function isLateTask(
  { state, step, stateAt, approval }: Pick<PlanTask, "state" | "step" | "stateAt" | "approval">,
  windows: ReadonlyMap<string, number>,
  now: number,
): boolean {
  if (isTaskEnd(state)) return false;
  if (state === "unknown") return true;
  const armedAt = step?.armedAt ?? null;
  const window = windows.get(approval ?? "");
  if (armedAt !== null && window !== undefined) return restoreClock(armedAt, window, now).isLate;
  return now - Date.parse(step?.at ?? stateAt) > silentMs;
}

import { writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** Lower than the server's: a busy plugin does not slow the server down. */
export const niceness = 10;
/**
 * A process that sleeps for a microsecond sixty thousand times a second costs the kernel more than one that computes. With
 * this much slack its naps last five milliseconds; the filter lets no plugin ask for less.
 */
const timerSlackNs = 5_000_000;
/** The least a session can have. Priorities inside it do not count where the kernel shares time out by session. */
const sessionNiceness = 19;
/** How often the kernel lets a user without rights change a session's share. */
const sessionRetryMs = 120;

/** What `start` starts is woken late by its timers, and so is all that comes of it; the launcher itself is not. */
export function withSlackTimers<Result>(start: () => Result): Result {
  try {
    writeTo("/proc/self/timerslack_ns", String(timerSlackNs));
    return start();
  } finally {
    // Zero stands for what this process began with.
    writeTo("/proc/self/timerslack_ns", "0");
  }
}

/**
 * Every action is a session, so that it can be killed whole. A kernel with `sched_autogroup` gives each session as much time as
 * the server's: sixty processes that only pass a byte around stopped a server for half a minute that way. Called again by
 * itself while the action lives if the kernel was asked too often.
 */
export function lowerSession(leader: number, isAlive: () => boolean): void {
  lower(leader);
  if (writeTo(`/proc/${leader}/autogroup`, String(sessionNiceness)) !== "EAGAIN") return;
  setTimeout(() => isAlive() && lowerSession(leader, isAlive), sessionRetryMs).unref();
}

/** Dying takes time too. What has been killed runs no line of its own any more and may have as much as others. */
export function letDie(leader: number): void {
  writeTo(`/proc/${leader}/autogroup`, "0");
}

export function lower(pid: number): void {
  try {
    setPriority(pid, niceness);
  } catch {
    // It has ended already; nothing is left to be slowed down by.
  }
}

/** The error's name, if any: a kernel without the setting has no such file, and a process that has ended neither. */
function writeTo(path: string, text: string): string | undefined {
  try {
    writeFileSync(path, text);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code;
  }
}

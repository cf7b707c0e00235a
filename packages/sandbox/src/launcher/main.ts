import { closeSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type FaultCode, isFault } from "@gatehouse/contract/faults";
import { untoldEnd } from "../action.ts";
import type { SandboxSetup } from "../command-line.ts";
import { GroupWatch } from "./group-watch.ts";
import type { LauncherReport, Order, StageOrder, StartOrder } from "./messages.ts";
import { killGroup } from "./process-group.ts";
import { PersistentRun } from "./persistent-run.ts";
import { adoptCopy, type StagedCopy, stageCopy } from "./staged-copy.ts";

/**
 * The launcher: a small process that starts plugins, so that the server, which is large and busy, never forks. It obeys one
 * parent over its channel and dies with it; whatever it started dies with it too.
 */
const runs = new Map<number, PersistentRun>();
const copies = new Map<string, StagedCopy>();
const watch = new GroupWatch();
let setup: SandboxSetup | undefined;
let directory: string | undefined;

closeInherited();
// The server decides when it stops; a signal to the whole terminal group must not end us before.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
process.on("exit", () => {
  for (const { group } of runs.values()) if (group !== undefined) killGroup(group);
});
process.on("disconnect", () => {
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
  process.exit(0);
});
process.on("message", (order: Order) => obey(order));
report({ kind: "ready" });

function obey(order: Order): void {
  switch (order.kind) {
    case "setup":
      ({ setup, directory } = order);
      return;
    case "stage":
      void answer(order.ticket, () => stage(order));
      return;
    case "remove":
      void answer(order.ticket, () => remove(order.staged));
      return;
    case "start":
      start(order);
      return;
    case "send":
      runs.get(order.run)?.send(order.line);
      return;
    case "kill":
      runs.get(order.run)?.end("killed", order.reason);
      return;
    case "close":
      process.exit(0);
  }
}

async function stage({ staged, source, sha256 }: StageOrder): Promise<void> {
  if (directory === undefined) throw new Error("there is no run directory");
  const home = join(directory, staged);
  copies.set(staged, await (source === undefined ? adoptCopy(home, sha256) : stageCopy(home, source, sha256)));
}

async function remove(staged: string): Promise<void> {
  const copy = copies.get(staged);
  copies.delete(staged);
  await copy?.remove();
}

function start(order: StartOrder): void {
  const copy = copies.get(order.staged);
  if (setup === undefined || copy === undefined) {
    const end = untoldEnd("failed_to_start", "its staged copy is gone");
    return report({ kind: "end", run: order.run, end });
  }
  runs.set(order.run, new PersistentRun({ setup, watch, report }, order, copy, () => runs.delete(order.run)));
}

async function answer(ticket: number, work: () => Promise<void>): Promise<void> {
  try {
    await work();
    report({ kind: "done", ticket });
  } catch (error) {
    const { code, detail } = isFault(error)
      ? { code: error.code as FaultCode, detail: error.detail }
      : { code: "sandbox.staging_failed" as const, detail: error instanceof Error ? error.message : String(error) };
    report({ kind: "refused", ticket, code, detail });
  }
}

function report(message: LauncherReport): void {
  // The parent is gone when this fails, and then `disconnect` is on its way.
  process.send?.(message, undefined, undefined, () => undefined);
}

/** A descriptor somebody left open for the server's children would otherwise reach every plugin. */
function closeInherited(): void {
  const closeOnExec = 0o2000000;
  for (const name of readdirSync("/proc/self/fd")) {
    const fd = Number(name);
    try {
      const flags = Number.parseInt(
        /flags:\s*(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, "latin1"))?.[1] ?? "",
        8,
      );
      if (fd > 2 && (flags & closeOnExec) === 0) closeSync(fd);
    } catch {
      // The descriptor of the listing itself.
    }
  }
}

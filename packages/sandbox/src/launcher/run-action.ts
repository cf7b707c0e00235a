import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync, constants, openSync } from "node:fs";
import type { ActionEnd, ActionOutcome } from "../action.ts";
import { actionEnvironment } from "../action-environment.ts";
import { commandLine, type SandboxSetup } from "../command-line.ts";
import { launcherLimits, processLimits } from "../limits.ts";
import { maskControls } from "../mask-controls.ts";
import { countTasksOfUser } from "../process-table.ts";
import type { GroupWatch, Watched } from "./group-watch.ts";
import { LineSplitter } from "./line-splitter.ts";
import { diesFirst } from "./dies-first.ts";
import { letDie, lowerSession, withSlackTimers } from "./low-priority.ts";
import type { LauncherReport, StartOrder } from "./messages.ts";
import { groupIsGone, killGroup } from "./process-group.ts";
import type { StagedCopy } from "./staged-copy.ts";
import { describeExit } from "./describe-exit.ts";

export interface LaunchDeps {
  readonly setup: SandboxSetup;
  readonly watch: GroupWatch;
  readonly report: (report: LauncherReport) => void;
}

/** The launcher's hold on one action that it has started. */
export interface LaunchedAction {
  readonly group: number | undefined;
  send(line: string): void;
  end(outcome: ActionOutcome, reason: string): void;
}

/** What may wait for a plugin that does not read, beside the first line, its question: answers of the broker. */
const answerBytes = 16 * 1024 * 1024;
const drainMs = 250;
/** A killed process is gone in milliseconds, on a starved machine in seconds; the end is not told before. */
const emptyMs = 5_000;

/** Starts one action and answers for it until every process of it is gone; its end is reported once, whatever happens. */
export function runAction(deps: LaunchDeps, order: StartOrder, copy: StagedCopy): LaunchedAction {
  const began = performance.now();
  const output = new LineSplitter(order.outputBytes);
  let cause: { outcome: ActionOutcome; reason: string } | undefined;
  let stderr = Buffer.alloc(0);
  let deadline: NodeJS.Timeout | undefined;
  let peak = 0;

  const child = start(deps.setup, order, copy);
  const group = child.pid;

  const end = (outcome: ActionOutcome, reason: string) => {
    cause ??= { outcome, reason };
    if (group === undefined) return;
    killGroup(group);
    letDie(group);
  };

  const reportEnd = (exit: { code: number | null; signal: string | null; error?: Error }) => {
    const text = maskControls(stderr.toString());
    const found =
      cause ??
      describeExit(exit, { stderr: text, unfinished: output.unfinished, memoryShare: peak / order.memoryBytes });
    const { code, signal } = exit;
    const ms = performance.now() - began;
    deps.report({
      kind: "end",
      run: order.run,
      end: { ...found, code, signal, stderr: text, ms, peakMemoryBytes: peak } satisfies ActionEnd,
    });
  };

  child.once("error", (error) => {
    // Without a process id nothing was started; with one, the end of the process is still to come.
    if (group === undefined) reportEnd({ code: null, signal: null, error });
  });
  if (group === undefined) return { group, send: () => undefined, end };

  deps.report({ kind: "started", run: order.run, group });
  deps.watch.add(group, {
    memoryBytes: order.memoryBytes,
    ...launcherLimits,
    over: (what, found) => end(overOutcomes[what], overSentence(what, found, order)),
  });
  deadline = setTimeout(() => end("deadline", `it did not end within ${order.deadlineMs} ms`), order.deadlineMs);
  lowerSession(group, () => child.exitCode === null && child.signalCode === null);

  child.stdout?.on("data", (part: Buffer) => {
    if (cause?.outcome === "output") return;
    const { lines, fault } = output.take(part);
    for (const line of lines) deps.report({ kind: "line", run: order.run, line });
    if (fault !== undefined) end("output", fault);
  });
  child.stderr?.on("data", (part: Buffer) => {
    if (stderr.length + part.length > order.stderrBytes)
      end("output", `it wrote more than ${order.stderrBytes} bytes to standard error`);
    const room = order.stderrBytes - stderr.length;
    if (room > 0) stderr = Buffer.concat([stderr, part.subarray(0, room)]);
  });
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on("error", () => undefined);

  child.once("exit", (code, signal) => {
    clearTimeout(deadline);
    peak = deps.watch.delete(group);
    // Whatever it has left behind goes with it; then its pipes have no other end, and close.
    killGroup(group);
    void drained(child)
      .then(() => groupIsGone(group, () => deps.watch.countLiving(group), emptyMs))
      .then(() => reportEnd({ code, signal }));
  });

  let questionBytes: number | undefined;
  const send = (line: string) => {
    if (child.stdin === null || child.stdin.destroyed) return;
    const bytes = Buffer.from(`${line}\n`);
    // The server has bounded it: it is as long as a question of its action may be.
    questionBytes ??= bytes.byteLength;
    child.stdin.write(bytes);
    if (child.stdin.writableLength > questionBytes + answerBytes) end("killed", "it does not read its input");
  };
  return { group, send, end };
}

function start(setup: SandboxSetup, order: StartOrder, copy: StagedCopy): ChildProcess {
  const { program, args } = commandLine(setup, {
    stagedDirectory: copy.directory,
    action: order.action,
    environment: actionEnvironment(order.environment),
    limits: processLimits({
      deadlineMs: order.deadlineMs,
      artifactBytes: copy.size,
      runningTasks: runningTasks(setup),
      tag: setup.tag,
    }),
  });
  const opened: number[] = [];
  try {
    // The same file, opened anew: two actions share no position and no lock.
    opened.push(openSync(`/proc/self/fd/${copy.fd}`, constants.O_RDONLY));
    if (setup.level === "namespaces") opened.push(openSync(setup.filterPath, constants.O_RDONLY));
    const stdio: StdioOptions = ["pipe", "pipe", "pipe", ...opened];
    const env = actionEnvironment(order.environment);
    return diesFirst(() => withSlackTimers(() => spawn(program, args, { cwd: "/", env, detached: true, stdio })));
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

/** Counted at most ten times a second: what starts meanwhile fits into what is allowed on top. */
let counted = { at: Number.NEGATIVE_INFINITY, tasks: 0 };

function runningTasks(setup: SandboxSetup): number {
  const now = performance.now();
  if (now - counted.at > 100)
    counted = { at: now, tasks: countTasksOfUser(setup.isRoot && setup.level === "namespaces") };
  return counted.tasks;
}

/** Resolves when the pipes are read to their end, or after a moment if somebody still holds one. */
function drained(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    const give = () => {
      clearTimeout(timer);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
      resolve();
    };
    const timer = setTimeout(give, drainMs);
    child.once("close", give);
  });
}

const overOutcomes: Record<Watched, ActionOutcome> = {
  memory: "memory",
  maps: "memory",
  tasks: "killed",
  descriptors: "killed",
};

function overSentence(what: Watched, found: number, { memoryBytes }: StartOrder): string {
  const { tasks, maps, descriptors } = launcherLimits;
  const mebibytes = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const sentences: Record<Watched, string> = {
    memory: `it held ${mebibytes(found)} MiB of memory, and ${mebibytes(memoryBytes)} are allowed`,
    // Counting stops there.
    maps: `it had more than the ${maps} memory maps that are allowed`,
    tasks: `it ran ${found} processes and threads, and ${tasks} are allowed`,
    descriptors: `it had ${found} open descriptors in all its processes, and ${descriptors} are allowed`,
  };
  return sentences[what];
}

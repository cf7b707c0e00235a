import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { fault } from "@gatehouse/contract/faults";
import { type RunningAction, untoldEnd } from "./action.ts";
import type { SandboxSetup } from "./command-line.ts";
import type { LauncherReport, Order, StartOrder } from "./launcher/messages.ts";
import { killGroup } from "./launcher/process-group.ts";
import { PendingRun } from "./pending-run.ts";
import { maskControls } from "./mask-controls.ts";
import { killTagged, tagWord } from "./tags.ts";

export interface LinkDeps {
  readonly setup: SandboxSetup;
  readonly directory: string;
  readonly onTrouble: (message: string) => void;
}

const program = fileURLToPath(new URL("./launcher/main.ts", import.meta.url));
/** Longer than any good launcher needs after a deadline; then it hangs and is replaced. */
const hangMs = 5_000;
const readyMs = 20_000;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
const goodMs = 60_000;
const emptyMs = 5_000;

/** The server's end of the channel. Starts the launcher again when it dies, and settles whatever it can no longer answer for. */
export class LauncherLink {
  /** Rejects when the first launcher does not come up. Later ones are tried until one does. */
  readonly ready: Promise<void>;
  readonly #deps: LinkDeps;
  readonly #runs = new Map<number, PendingRun>();
  readonly #tickets = new Map<number, PromiseWithResolvers<void>>();
  /** Staged copies by name, so that a new launcher can open them again. */
  readonly #staged = new Map<string, string>();
  #child: ChildProcess | undefined;
  #waiting: Order[] = [];
  #isReady = false;
  #isClosed = false;
  #restarts = 0;
  #next = 0;

  constructor(deps: LinkDeps) {
    this.#deps = deps;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.ready = promise;
    this.#launch(resolve, reject);
  }

  async stage(staged: string, source: string, sha256: string): Promise<void> {
    await this.#ask((ticket) => ({ kind: "stage", ticket, staged, source, sha256 }));
    this.#staged.set(staged, sha256);
  }

  async remove(staged: string): Promise<void> {
    const running = [...this.#runs.values()].filter((run) => run.staged === staged);
    for (const run of running) run.kill("the plugin was taken out of service");
    await Promise.all(running.map(({ onEnd }) => onEnd));
    if (!this.#staged.delete(staged) || this.#isClosed) return;
    await this.#ask((ticket) => ({ kind: "remove", ticket, staged }));
  }

  start(given: Omit<StartOrder, "kind" | "run">): RunningAction {
    const run = this.#number();
    const pending = new PendingRun(given.staged, {
      send: (line) => this.#send({ kind: "send", run, line }),
      kill: (reason) => this.#send({ kind: "kill", run, reason }),
    });
    if (this.#isClosed) {
      pending.settle(untoldEnd("failed_to_start", "the launcher is closed"));
      return pending;
    }
    this.#runs.set(run, pending);
    this.#expect(pending, given.deadlineMs);
    void pending.onEnd.then(() => this.#runs.delete(run));
    this.#send({ ...given, kind: "start", run });
    return pending;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const child = this.#child;
    if (child !== undefined && isAlive(child)) {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      const slow = setTimeout(() => child.kill("SIGKILL"), hangMs);
      child.send({ kind: "close" } satisfies Order, () => undefined);
      await exited;
      clearTimeout(slow);
    }
    await this.#abandon("the launcher is closed");
  }

  /** The server's secrets stay out of it: its environment is empty, and no option of the server's Node reaches it. */
  #launch(up: () => void, failed: (error: Error) => void): void {
    // Node hands this one on to every child, also to one with an environment of its own, unless it is named.
    const env = { NODE_V8_COVERAGE: undefined };
    // The mark is on its own command line for what it has forked and not started yet: until then that looks like itself.
    const words = [tagWord(this.#deps.setup.tag)];
    const child = fork(program, words, { execArgv: [], env, stdio: ["ignore", "ignore", "pipe", "ipc"] });
    const began = performance.now();
    let complaint = "";
    child.stderr?.on("data", (part: Buffer) => {
      complaint = `${complaint}${part.toString()}`.slice(-4_096);
    });
    const late = setTimeout(() => child.kill("SIGKILL"), readyMs);
    child.on("message", (report: LauncherReport) => {
      if (report.kind !== "ready") return this.#hear(report);
      clearTimeout(late);
      void this.#begin(child).then(up);
    });
    child.on("error", () => undefined);
    // Both: after the end of the process there may still be reports in the channel, which name process groups.
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const silent = new Promise((resolve) => child.once("disconnect", resolve));
    void silent.then(() => child.kill("SIGKILL"));
    void Promise.all([ended, silent]).then(() => {
      clearTimeout(late);
      const how = child.signalCode ?? child.exitCode;
      failed(fault("sandbox.launcher_failed", `the launcher ended with ${how}: ${maskControls(complaint).trim()}`));
      return this.#lost(`${how}: ${maskControls(complaint).trim()}`, performance.now() - began);
    });
    this.#child = child;
  }

  /** A launcher that follows another first opens the copies it has left; only then do orders reach it. */
  async #begin(child: ChildProcess): Promise<void> {
    const { setup, directory } = this.#deps;
    child.send({ kind: "setup", setup, directory } satisfies Order);
    await Promise.all(
      [...this.#staged].map(async ([staged, sha256]) => {
        const { ticket, promise } = this.#ticket();
        child.send({ kind: "stage", ticket, staged, sha256 } satisfies Order);
        await promise.catch((error: Error) => this.#deps.onTrouble(`a staged copy is lost: ${error.message}`));
      }),
    );
    if (this.#child !== child || !child.connected) return;
    this.#isReady = true;
    for (const order of this.#waiting.splice(0)) this.#send(order);
  }

  #hear(report: Exclude<LauncherReport, { kind: "ready" }>): void {
    switch (report.kind) {
      case "done":
        return this.#take(report.ticket)?.resolve();
      case "refused":
        return this.#take(report.ticket)?.reject(fault(report.code, report.detail));
      case "started": {
        const run = this.#runs.get(report.run);
        if (run !== undefined) run.group = report.group;
        return;
      }
      case "line":
        return this.#runs.get(report.run)?.hear(report.line);
      case "end":
        return this.#runs.get(report.run)?.settle(report.end);
    }
  }

  async #lost(how: string, livedMs: number): Promise<void> {
    this.#isReady = false;
    if (this.#isClosed) return;
    this.#deps.onTrouble(`the plugin launcher ended (${how}) and is started again`);
    this.#waiting = [];
    await this.#abandon("the launcher ended");
    this.#restarts = livedMs > goodMs ? 0 : this.#restarts + 1;
    const pauseMs = this.#restarts <= 1 ? 0 : Math.min(firstPauseMs * 2 ** this.#restarts, longestPauseMs);
    setTimeout(() => {
      if (!this.#isClosed)
        this.#launch(
          () => undefined,
          () => undefined,
        );
    }, pauseMs);
  }

  /**
   * Its plugins die with the launcher: by their groups, and by their mark where it died before it could name one. The kernel
   * alone would not do: a leader can be killed with its parent, but what it has started already would live on.
   */
  async #abandon(reason: string): Promise<void> {
    for (const [ticket, { reject }] of this.#tickets) {
      this.#tickets.delete(ticket);
      reject(fault("sandbox.launcher_failed", reason));
    }
    const abandoned = [...this.#runs.values()];
    for (const { group } of abandoned) if (group !== undefined) killGroup(group);
    if (abandoned.length > 0) await killTagged(this.#deps.setup.tag, emptyMs);
    for (const run of abandoned) run.settle(untoldEnd(run.group === undefined ? "failed_to_start" : "killed", reason));
  }

  /**
   * No end long after the deadline: the launcher hangs, or none is up. It gets the time twice: after a pause of the whole
   * machine our timer may come before the launcher's.
   */
  #expect(pending: PendingRun, deadlineMs: number): void {
    const give = () => {
      if (this.#isReady) this.#child?.kill("SIGKILL");
      else pending.settle(untoldEnd("failed_to_start", "the launcher is not up"));
    };
    let timer = setTimeout(() => {
      timer = setTimeout(give, hangMs);
    }, deadlineMs + hangMs);
    void pending.onEnd.then(() => clearTimeout(timer));
  }

  #ask(order: (ticket: number) => Order): Promise<void> {
    if (this.#isClosed) return Promise.reject(fault("sandbox.launcher_failed", "the launcher is closed"));
    const { ticket, promise } = this.#ticket();
    this.#send(order(ticket));
    return promise;
  }

  #ticket(): { ticket: number; promise: Promise<void> } {
    const ticket = this.#number();
    const answer = Promise.withResolvers<void>();
    this.#tickets.set(ticket, answer);
    return { ticket, promise: answer.promise };
  }

  #take(ticket: number): PromiseWithResolvers<void> | undefined {
    const answer = this.#tickets.get(ticket);
    this.#tickets.delete(ticket);
    return answer;
  }

  #send(order: Order): void {
    if (this.#isReady && this.#child?.connected === true) this.#child.send(order, () => undefined);
    else this.#waiting.push(order);
  }

  #number(): number {
    this.#next += 1;
    return this.#next;
  }
}

function isAlive(child: ChildProcess): boolean {
  return child.exitCode === null && child.signalCode === null;
}

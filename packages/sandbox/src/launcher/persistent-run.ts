import { type ActionEnd, type ActionOutcome, untoldEnd } from "../action.ts";
import type { LauncherReport, StartOrder } from "./messages.ts";
import { type LaunchedAction, type LaunchDeps, runAction } from "./run-action.ts";
import type { StagedCopy } from "./staged-copy.ts";

const attempts = 4;
const pauseMs = 40;

/**
 * An action that is started again when the host had no room for a process at that moment: another plugin may have used up the
 * user's processes, and is ended within a tenth of a second. Nothing of the plugin itself has run by then.
 */
export class PersistentRun {
  readonly #deps: LaunchDeps;
  readonly #report: (report: LauncherReport) => void;
  readonly #order: StartOrder;
  readonly #copy: StagedCopy;
  readonly #ended: () => void;
  #sent: string[] | undefined = [];
  #run: LaunchedAction | undefined;
  #attempt = 0;
  #stopped: { outcome: ActionOutcome; reason: string } | undefined;

  constructor(deps: LaunchDeps, order: StartOrder, copy: StagedCopy, ended: () => void) {
    this.#deps = { ...deps, report: (report) => this.#hear(report) };
    this.#report = deps.report;
    this.#order = order;
    this.#copy = copy;
    this.#ended = ended;
    this.#start();
  }

  get group(): number | undefined {
    return this.#run?.group;
  }

  send(line: string): void {
    this.#sent?.push(line);
    this.#run?.send(line);
  }

  end(outcome: ActionOutcome, reason: string): void {
    this.#stopped = { outcome, reason };
    this.#run?.end(outcome, reason);
  }

  #start(): void {
    this.#attempt += 1;
    try {
      this.#run = runAction(this.#deps, this.#order, this.#copy);
    } catch (error) {
      return this.#finish(untoldEnd("failed_to_start", error instanceof Error ? error.message : String(error)));
    }
    for (const line of this.#sent ?? []) this.#run.send(line);
  }

  #hear(report: LauncherReport): void {
    if (report.kind === "line") this.#sent = undefined;
    if (report.kind !== "end") return this.#report(report);
    const again = this.#attempt < attempts && this.#stopped === undefined && hadNoRoom(report.end);
    this.#run = undefined;
    if (!again) return this.#finish(report.end);
    setTimeout(() => {
      if (this.#stopped === undefined) this.#start();
      else this.#finish(untoldEnd(this.#stopped.outcome, this.#stopped.reason));
    }, pauseMs);
  }

  #finish(end: ActionEnd): void {
    this.#ended();
    this.#report({ kind: "end", run: this.#order.run, end });
  }
}

/** EAGAIN in the words of the programs on the way. */
function hadNoRoom({ outcome, reason }: ActionEnd): boolean {
  return outcome === "failed_to_start" && /Resource temporarily unavailable|EAGAIN/.test(reason);
}

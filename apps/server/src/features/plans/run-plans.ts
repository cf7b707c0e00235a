import { isFault, isPlanEnd, type TaskState, type TaskStepName } from "@gatehouse/contract";
import { planKind } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import { gatherNews } from "../../platform/bus/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { endPlan } from "./end-plan.ts";
import { haltForEnds, haltForStop } from "./halt-plan.ts";
import { clearTasks, keepMissingTasks, plansWithTasks } from "./keep-tasks.ts";
import { plansLimits } from "./limits.ts";
import type { CountedTasks } from "./list-waves.ts";
import {
  countRun,
  holdsNextWave,
  isLookedAt,
  noteEnd,
  noteStep,
  openWaves,
  type OpenTask,
  type PlanRun,
  readRun,
} from "./plan-run.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { type HostAtWork, openTaskRunner, type RunTaskDeps, type TaskStep } from "./run-task.ts";
import { type TaskLane, TaskPlaces } from "./task-places.ts";
import { taskKey } from "./task-records.ts";
import { isUnderWay } from "./view-plan.ts";

export type PlanRunnerDeps = RunTaskDeps & Pick<PlansDeps, "log" | "every" | "tellSteps">;

/** Why a node is left alone. */
interface Rest {
  /** By the monotonic clock. */
  readonly until: number;
  /** Whose task it has begun; undefined where it is busy with another change. */
  readonly plan: string | undefined;
}

/**
 * Carries out the plans that were started: hosts that are here get their tasks, at most so many at once; those that come later get
 * theirs when they come. Everything that it knows stands in records: after a restart it goes on where it was.
 */
export class PlanRunner {
  readonly #deps: PlanRunnerDeps;
  readonly #runTask: ReturnType<typeof openTaskRunner>;
  readonly #runs = new Map<string, PlanRun>();
  /** Nodes for which something may be to be done. */
  readonly #waiting = new Set<string>();
  readonly #busy = new TaskPlaces();
  /** Nodes that make a change. */
  readonly #resting = new Map<string, Rest>();
  /** Nodes of which an end came while a task was being brought to them. */
  readonly #freed = new Set<string>();
  /** Nodes whose last step threw: they are tried again. */
  readonly #failed = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  /** One for each step under way: a single promise that lives as long as the server would hold every step that ever waited. */
  readonly #closers = new Set<PromiseWithResolvers<undefined>>();
  readonly #news: ReturnType<typeof gatherNews>;
  readonly #stops: readonly (() => void)[];
  #isClosed = false;
  #isLooking = false;
  #wasStopped = false;
  #lookedAt: number;
  #nodesLookedAt: number;

  /** Begins at once, with the plans that were under way when the server stopped. */
  constructor(deps: PlanRunnerDeps) {
    this.#deps = deps;
    this.#runTask = openTaskRunner(deps);
    this.#lookedAt = deps.clock.now();
    this.#nodesLookedAt = deps.clock.monotonic();
    this.#news = gatherNews({ every: deps.every, tell: deps.tellSteps });
    this.#stops = [
      () => this.#news.close(),
      deps.tasks.onArrival((node) => this.#wake(node)),
      deps.every(plansLimits.lookMs, () => this.#look()),
    ];
    void this.#work("the plans that were under way", () => this.#resume());
  }

  /** A person has started this plan, or goes on with it. */
  started(plan: string): void {
    void this.#work("a plan that was started", () => this.#load(plan));
  }

  /** The end of a host's task was kept: the host is free for another, unless it has begun one since. */
  ended(plan: string, node: string, state: TaskState): void {
    const { plan: begun = plan } = this.#resting.get(node) ?? {};
    if (begun === plan) this.#resting.delete(node);
    if (this.#busy.has(node)) this.#freed.add(node);
    const run = this.#runs.get(plan);
    if (run !== undefined) {
      noteEnd(run, node, state);
      void this.#work("what follows the end of a task", () => this.#follow(plan, run));
    }
    this.#wake(node);
  }

  /** A host says how far it is. What is not about a task that was sent to it is nobody's concern. */
  takeStep(node: string, { task, state }: { readonly task: string; readonly state: TaskStepName }): void {
    for (const [plan, { open }] of this.#runs) {
      const found = open.get(node);
      if (found?.id !== task || !found.isSent) continue;
      noteStep(found, state, new Date(this.#deps.clock.now()).toISOString());
      this.#news.note(plan);
    }
  }

  stepOf({ plan, node }: { readonly plan: string; readonly node: string }): PlanTask["step"] {
    return this.#runs.get(plan)?.open.get(node)?.step ?? null;
  }

  /** Where the tasks of a plan are that has so many waves; undefined where they were not looked at yet. */
  countWaves(plan: string, waves: number): CountedTasks | undefined {
    const run = this.#runs.get(plan);
    return run === undefined ? undefined : countRun(run, waves);
  }

  /** What is under way ends at the next step that is kept; the rest is found by the next start. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops) stop();
    for (const { resolve } of this.#closers) resolve(undefined);
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  async #resume(): Promise<void> {
    await this.#loadBegun();
    for (const id of await plansWithTasks(this.#deps)) {
      const plan = await this.#deps.store.get(planKind.key(id));
      if (plan === undefined || isPlanEnd(plan.value.state)) await clearTasks(this.#deps, id);
    }
  }

  /** One that cannot be read keeps none of the others from going on, and is tried again. */
  async #loadBegun(): Promise<void> {
    for (const { value } of await listRecords(this.#deps.store, planKind)) {
      if (isUnderWay(value) && !this.#runs.has(value.id)) this.started(value.id);
    }
  }

  async #load(id: string): Promise<void> {
    const plan = (await this.#deps.store.get(planKind.key(id)))?.value;
    if (plan === undefined || this.#isClosed) return;
    await keepMissingTasks(this.#deps, plan);
    const run = await readRun(this.#deps, plan, this.#runs.get(id)?.open);
    this.#runs.set(id, run);
    // It may have ended between an end that is too much and the word that it is halted.
    if (plan.state === "running") run.halting = run.book.findHalt();
    for (const node of run.open.keys()) this.#wake(node);
    await this.#follow(id, run);
  }

  /** What follows from the ends so far: the plan is over, or halts, or its next wave is open. */
  async #follow(id: string, run: PlanRun): Promise<void> {
    if (this.#isClosed) return;
    if (run.open.size === 0) return this.#end(id);
    if (run.halting !== undefined) return haltForEnds(this.#deps, id, run.halting);
    if (run.book.left === 0) await this.#openNext(id, run, () => true);
  }

  /** Opens the next wave, unless a task of those that are open keeps it shut. */
  async #openNext(id: string, run: PlanRun, holds: (node: string, task: OpenTask) => boolean): Promise<void> {
    if (!run.book.hasNext || (await this.#deps.store.get(planKind.key(id)))?.value.state !== "running") return;
    for (const node of openWaves(run, holds)) this.#wake(node);
  }

  async #end(id: string): Promise<void> {
    if (await endPlan(this.#deps, id)) this.#runs.delete(id);
  }

  #wake(node: string): void {
    this.#waiting.add(node);
    this.#begin();
  }

  #begin(): void {
    const lanes = new Set([...this.#runs.values()].map(({ lane }) => lane));
    for (const node of this.#waiting) {
      if (this.#isClosed || [...lanes].every((lane) => this.#busy.isFull(lane))) return;
      if (this.#busy.has(node)) continue;
      const lane = this.#resting.has(node) ? undefined : this.#laneFor(node);
      if (lane !== undefined && this.#busy.isFull(lane)) continue;
      this.#waiting.delete(node);
      if (lane === undefined) continue;
      this.#busy.take(node, lane);
      void this.#work("the task of a host", async () => {
        this.#failed.add(node);
        try {
          await this.#runNode(node);
          this.#failed.delete(node);
        } finally {
          this.#busy.give(node);
          // Behind this step: whoever was woken while this one was at work has its turn now.
          this.#begin();
        }
      });
    }
  }

  /** Undefined where there is nothing to do. */
  #laneFor(node: string): TaskLane | undefined {
    const hasWork = (run: PlanRun) => {
      const task = run.open.get(node);
      return task !== undefined && isLookedAt(run, task);
    };
    const lanes = [...this.#runs.values()].filter(hasWork).map(({ lane }) => lane);
    return lanes.includes("artifacts") ? "artifacts" : lanes[0];
  }

  /** The oldest plan first. */
  async #runNode(node: string): Promise<void> {
    for (const [plan, run] of this.#runs) {
      const task = run.open.get(node);
      if (task === undefined || this.#isClosed || this.#resting.has(node) || !isLookedAt(run, task)) continue;
      // This plan was started since: it waits for a place of its own.
      if (run.lane === "artifacts" && this.#busy.laneOf(node) === "plain") return void this.#waiting.add(node);
      this.#freed.delete(node);
      task.isDue = false;
      const step = await this.#runStep(plan, run, task);
      if (step === "over") {
        await this.#over(plan, node, task);
      } else if (step === "lost") {
        task.wasBusy = false;
        task.offers += 1;
        this.#waiting.add(node);
        // It may have begun: it is asked about this one before it is offered another.
        return;
      } else if (step !== "waits") {
        task.wasBusy = step.isBusy;
        this.#rest(node, plan, run, step);
      }
    }
  }

  async #over(plan: string, node: string, { index }: OpenTask): Promise<void> {
    const kept = await this.#deps.store.get(taskKey(plan, index));
    const run = this.#runs.get(plan);
    if (run === undefined) return;
    // Its plan has ended where the task is gone; then there is nothing to count.
    noteEnd(run, node, kept?.value.state ?? "unknown");
    await this.#follow(plan, run);
  }

  #rest(node: string, plan: string, { open }: PlanRun, { isBusy, restMs }: HostAtWork): void {
    // What it was busy with has ended meanwhile: it is asked again at once.
    if (isBusy && this.#freed.has(node)) return void this.#waiting.add(node);
    // Its end may have come before its word that it has begun.
    if (!open.has(node)) return;
    const until = this.#deps.clock.monotonic() + restMs;
    this.#resting.set(node, { until, plan: isBusy ? undefined : plan });
  }

  async #runStep(plan: string, run: PlanRun, task: OpenTask): Promise<TaskStep> {
    const closer = Promise.withResolvers<undefined>();
    this.#closers.add(closer);
    const { index, offers, wasBusy } = task;
    const onOffer = () => {
      task.isSent = true;
    };
    try {
      const mayBegin = () => !this.#isClosed && run.halting === undefined && task.wave <= run.book.open;
      return await this.#runTask({ plan, index, offers, wasBusy, mayBegin, onOffer, closing: closer.promise });
    } finally {
      this.#closers.delete(closer);
    }
  }

  #look(): void {
    if (this.#isLooking) return;
    this.#isLooking = true;
    void this.#work("looking after plans", async () => {
      try {
        await this.#lookAround();
      } finally {
        this.#isLooking = false;
      }
    });
  }

  async #lookAround(): Promise<void> {
    const { store, clock } = this.#deps;
    const { stopped } = (await readServerSettings(store)).plans;
    const [before, now] = [this.#lookedAt, clock.now()];
    this.#lookedAt = now;
    const looksAtNodes = clock.monotonic() - this.#nodesLookedAt >= plansLimits.nodesMs;
    if (looksAtNodes) this.#nodesLookedAt = clock.monotonic();
    for (const [node, { until }] of this.#resting) {
      if (until > clock.monotonic()) continue;
      this.#resting.delete(node);
      this.#wake(node);
    }
    const isOver = this.#wasStopped && stopped === null;
    this.#wasStopped = stopped !== null;
    for (const [plan, run] of this.#runs) {
      // Before anything that can fail: this moment does not come again.
      const isMoment = run.moments.some((moment) => before < moment && moment <= now);
      if (isMoment || isOver) this.#wakeAll(run);
      await this.#work("looking after a plan", () =>
        this.#lookAt(plan, run, { stops: stopped !== null, looksAtNodes }),
      );
    }
    if (looksAtNodes) await this.#loadBegun();
  }

  async #lookAt(
    plan: string,
    run: PlanRun,
    { stops, looksAtNodes }: Record<"stops" | "looksAtNodes", boolean>,
  ): Promise<void> {
    if (stops) await haltForStop(this.#deps, plan);
    if (run.halting !== undefined) await haltForEnds(this.#deps, plan, run.halting);
    const now = this.#deps.clock.monotonic();
    await this.#openNext(plan, run, (node, task) =>
      holdsNextWave(task, { isHere: this.#deps.tasks.canTakeTasks(node), now }),
    );
    if (looksAtNodes) {
      for (const [node, task] of run.open) if (await this.#isToBeTried(node)) this.#wakeDue(node, task);
    }
    if (run.open.size === 0) await this.#load(plan);
  }

  /** Also those whose wave is shut. */
  #wakeAll({ open }: PlanRun): void {
    for (const [node, task] of open) this.#wakeDue(node, task);
  }

  #wakeDue(node: string, task: OpenTask): void {
    task.isDue = true;
    this.#wake(node);
  }

  /** Something failed for it, or the node is no longer one of the fleet. */
  async #isToBeTried(node: string): Promise<boolean> {
    const found = await this.#deps.findNode(node);
    return this.#failed.has(node) || found === undefined || found.state === "revoked";
  }

  /** Never rejects. Nothing that fails here ends the server: it is said, and looked at again. */
  #work(what: string, act: () => Promise<void>): Promise<void> {
    const work = act()
      .catch((error: unknown) => {
        if (!isFault(error, "store.closed")) this.#deps.log.error(`${what}: failed`, {}, error);
      })
      .finally(() => this.#underWay.delete(work));
    this.#underWay.add(work);
    return work;
  }
}

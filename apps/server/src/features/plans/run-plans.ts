import { isFault, isPlanEnd } from "@gatehouse/contract";
import { planKind } from "@gatehouse/contract/records";
import { readServerSettings } from "../settings/index.ts";
import { endPlan, haltPlan } from "./end-plan.ts";
import { clearTasks, keepMissingTasks, plansWithTasks } from "./keep-tasks.ts";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { openTaskRunner, type RunTaskDeps, type TaskRun, type TaskStep } from "./run-task.ts";
import { isTaskOver, readTasks } from "./task-records.ts";

export type PlanRunnerDeps = RunTaskDeps & Pick<PlansDeps, "log" | "every">;

/** A plan that has begun and not ended. */
interface Run {
  /** The places of the tasks that are not over, by their nodes. */
  readonly open: Map<string, number>;
  /** How often each was offered since the start of this process. */
  readonly offers: Map<string, number>;
  /** When an approval of the plan begins or ends: then its tasks are looked at again. */
  moments: readonly number[];
}

/**
 * Carries out the plans that were started: hosts that are here get their tasks, at most so many at once; those that come later get
 * theirs when they come. Everything that it knows stands in records: after a restart it goes on where it was.
 */
export class PlanRunner {
  readonly #deps: PlanRunnerDeps;
  readonly #runTask: ReturnType<typeof openTaskRunner>;
  readonly #runs = new Map<string, Run>();
  /** Nodes for which something may be to be done. */
  readonly #waiting = new Set<string>();
  /** Nodes at work: a host has one task at a time. */
  readonly #busy = new Set<string>();
  /** Nodes whose last step threw: they are tried again. */
  readonly #failed = new Set<string>();
  readonly #underWay = new Set<Promise<void>>();
  /** One for each step under way: a single promise that lives as long as the server would hold every step that ever waited. */
  readonly #closers = new Set<PromiseWithResolvers<undefined>>();
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
    this.#stops = [
      deps.tasks.onArrival((node) => this.#wake(node)),
      deps.every(plansLimits.lookMs, () => this.#look()),
    ];
    void this.#work("the plans that were under way", () => this.#resume());
  }

  /** A person has started this plan, or goes on with it. */
  started(plan: string): void {
    void this.#work("a plan that was started", () => this.#load(plan));
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
    for (const { value } of await this.#deps.store.list(planKind)) {
      const isBegun = value.state === "running" || value.state === "halted";
      if (isBegun && !this.#runs.has(value.id)) this.started(value.id);
    }
  }

  async #load(id: string): Promise<void> {
    const plan = (await this.#deps.store.get(planKind.key(id)))?.value;
    if (plan === undefined || this.#isClosed) return;
    await keepMissingTasks(this.#deps, plan);
    const open = new Map<string, number>();
    for await (const { value } of readTasks(this.#deps, id)) if (!isTaskOver(value)) open.set(value.node, value.index);
    const moments = (plan.approvals ?? []).flatMap(({ notBefore, notAfter }) => [notBefore, notAfter + 1]);
    this.#runs.set(id, { open, offers: new Map(), moments });
    for (const node of open.keys()) this.#wake(node);
    if (open.size === 0) await this.#end(id);
  }

  async #end(id: string): Promise<void> {
    if (await endPlan(this.#deps, id)) this.#runs.delete(id);
  }

  #wake(node: string): void {
    this.#waiting.add(node);
    this.#begin();
  }

  #begin(): void {
    for (const node of this.#waiting) {
      if (this.#isClosed || this.#busy.size >= plansLimits.tasksAtOnce) return;
      if (this.#busy.has(node)) continue;
      this.#waiting.delete(node);
      if (![...this.#runs.values()].some(({ open }) => open.has(node))) continue;
      this.#busy.add(node);
      void this.#work("the task of a host", async () => {
        this.#failed.add(node);
        try {
          await this.#runNode(node);
          this.#failed.delete(node);
        } finally {
          this.#busy.delete(node);
          // Behind this step: whoever was woken while this one was at work has its turn now.
          this.#begin();
        }
      });
    }
  }

  /** The oldest plan first. */
  async #runNode(node: string): Promise<void> {
    for (const [plan, run] of this.#runs) {
      const index = run.open.get(node);
      if (index === undefined || this.#isClosed) continue;
      const offers = run.offers.get(node) ?? 0;
      const step = await this.#runStep({ plan, index, offers });
      if (step === "lost") {
        run.offers.set(node, offers + 1);
        this.#waiting.add(node);
      }
      if (step !== "over") continue;
      run.open.delete(node);
      if (run.open.size === 0) await this.#end(plan);
    }
  }

  async #runStep(run: Omit<TaskRun, "closing">): Promise<TaskStep> {
    const closer = Promise.withResolvers<undefined>();
    this.#closers.add(closer);
    try {
      return await this.#runTask({ ...run, closing: closer.promise });
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
    const isOver = this.#wasStopped && stopped === null;
    this.#wasStopped = stopped !== null;
    for (const [plan, run] of this.#runs) {
      // Before anything that can fail: this moment does not come again.
      const isMoment = run.moments.some((moment) => before < moment && moment <= now);
      if (isMoment || isOver) for (const node of run.open.keys()) this.#wake(node);
      await this.#work("looking after a plan", () =>
        this.#lookAt(plan, run, { stops: stopped !== null, looksAtNodes }),
      );
    }
    if (looksAtNodes) await this.#loadBegun();
  }

  async #lookAt(
    plan: string,
    run: Run,
    { stops, looksAtNodes }: Record<"stops" | "looksAtNodes", boolean>,
  ): Promise<void> {
    if (stops) await haltPlan(this.#deps, plan);
    if (looksAtNodes) for (const node of run.open.keys()) if (await this.#isToBeTried(node)) this.#wake(node);
    if (run.open.size === 0) await this.#load(plan);
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

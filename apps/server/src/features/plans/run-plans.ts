import { isFault, isPlanEnd, type TaskStepName } from "@gatehouse/contract";
import { planKind, type TaskRecord } from "@gatehouse/contract/records";
import type { PlanTask } from "@gatehouse/contract/routes";
import { listRecords } from "@gatehouse/store/decide";
import { gatherNews } from "../../platform/bus/index.ts";
import { readServerSettings } from "../settings/index.ts";
import { endPlan, haltPlan } from "./end-plan.ts";
import { clearTasks, keepMissingTasks, plansWithTasks } from "./keep-tasks.ts";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { type HostAtWork, lastWordOf, openTaskRunner, type RunTaskDeps, type TaskStep } from "./run-task.ts";
import { type TaskLane, TaskPlaces } from "./task-places.ts";
import { isTaskOver, readTasks } from "./task-records.ts";
import { approvalsOf, isUnderWay } from "./view-plan.ts";

export type PlanRunnerDeps = RunTaskDeps & Pick<PlansDeps, "log" | "every" | "tellSteps">;

/** A task that is not over, and what is known of it since the start of this process. */
interface OpenTask {
  readonly id: string;
  readonly index: number;
  offers: number;
  /** Its host may have heard of it. */
  isSent: boolean;
  wasBusy: boolean;
  /** What the host said last. It is shown, and nothing is decided by it. */
  step: NonNullable<PlanTask["step"]> | undefined;
}

/** A plan that has begun and not ended. */
interface Run {
  /** By their nodes. */
  readonly open: Map<string, OpenTask>;
  readonly lane: TaskLane;
  /** When an approval of the plan begins or ends: then its tasks are looked at again. */
  moments: readonly number[];
}

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
  readonly #runs = new Map<string, Run>();
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
  ended(plan: string, node: string): void {
    const { plan: begun = plan } = this.#resting.get(node) ?? {};
    if (begun === plan) this.#resting.delete(node);
    if (this.#busy.has(node)) this.#freed.add(node);
    const run = this.#runs.get(plan);
    run?.open.delete(node);
    if (run?.open.size === 0) void this.#work("the end of a plan", () => this.#end(plan));
    this.#wake(node);
  }

  /** A host says how far it is. What is not about a task that was sent to it is nobody's concern. */
  takeStep(node: string, { task, state }: { readonly task: string; readonly state: TaskStepName }): void {
    for (const [plan, { open }] of this.#runs) {
      const found = open.get(node);
      if (found?.id !== task || !found.isSent) continue;
      found.step = { state, at: new Date(this.#deps.clock.now()).toISOString() };
      this.#news.note(plan);
    }
  }

  stepOf({ plan, node }: { readonly plan: string; readonly node: string }): PlanTask["step"] {
    return this.#runs.get(plan)?.open.get(node)?.step ?? null;
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
    const open = new Map<string, OpenTask>();
    const known = this.#runs.get(id)?.open;
    for await (const { value } of readTasks(this.#deps, id)) {
      if (!isTaskOver(value)) open.set(value.node, known?.get(value.node) ?? openTaskOf(value));
    }
    const moments = approvalsOf(plan).flatMap((one) => [one.notBefore, one.notAfter + 1, lastWordOf(one) + 1]);
    const lane: TaskLane = plan.artifacts === undefined ? "plain" : "artifacts";
    this.#runs.set(id, { open, lane, moments });
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
    const lanes = [...this.#runs.values()].filter(({ open }) => open.has(node)).map(({ lane }) => lane);
    return lanes.includes("artifacts") ? "artifacts" : lanes[0];
  }

  /** The oldest plan first. */
  async #runNode(node: string): Promise<void> {
    for (const [plan, run] of this.#runs) {
      const task = run.open.get(node);
      if (task === undefined || this.#isClosed || this.#resting.has(node)) continue;
      // This plan was started since: it waits for a place of its own.
      if (run.lane === "artifacts" && this.#busy.laneOf(node) === "plain") return void this.#waiting.add(node);
      this.#freed.delete(node);
      const step = await this.#runStep(plan, task);
      if (step === "over") {
        run.open.delete(node);
        if (run.open.size === 0) await this.#end(plan);
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

  #rest(node: string, plan: string, { open }: Run, { isBusy, restMs }: HostAtWork): void {
    // What it was busy with has ended meanwhile: it is asked again at once.
    if (isBusy && this.#freed.has(node)) return void this.#waiting.add(node);
    // Its end may have come before its word that it has begun.
    if (!open.has(node)) return;
    const until = this.#deps.clock.monotonic() + restMs;
    this.#resting.set(node, { until, plan: isBusy ? undefined : plan });
  }

  async #runStep(plan: string, task: OpenTask): Promise<TaskStep> {
    const closer = Promise.withResolvers<undefined>();
    this.#closers.add(closer);
    const { index, offers, wasBusy } = task;
    const onOffer = () => {
      task.isSent = true;
    };
    try {
      return await this.#runTask({ plan, index, offers, wasBusy, onOffer, closing: closer.promise });
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

function openTaskOf({ id, index, state }: TaskRecord): OpenTask {
  return { id, index, offers: 0, isSent: state !== "queued", wasBusy: false, step: undefined };
}

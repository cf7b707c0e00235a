import { setTimeout as delay } from "node:timers/promises";
import type { LaterFinding } from "@gatehouse/command-line";
import { isFault } from "@gatehouse/contract";
import {
  type Plan,
  planRoute,
  type PlanTask,
  planTasksRoute,
  type PlanWaves,
  planWavesRoute,
} from "@gatehouse/contract/routes";
import { planLimits } from "@gatehouse/plan";
import type { Connection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";
import type { PlanIdentity } from "./judge-outcome.ts";
import { isRunOver, runChanges, sayRunEnd, type SeenRun } from "./plan-run.ts";
import { identityOf, readPlanDocument } from "./read-plan.ts";

const pauseMs = 1_000;
/** The largest page of the route. */
const tasksPage = 500;

/** Said in the help of the commands that follow a plan. */
export const provedAbout =
  "How a change ended is the host's own word: its signature is checked here, with the key that the node's id is made of, for this plan, host, task and approval. What the server claims without it is printed as UNPROVEN. The exit code is 0 only when every host of the plan has signed that it applied it.";

export interface FollowDeps {
  /** What the plan is by its own bytes, so that the ends of its tasks can be judged here. */
  readonly identity: PlanIdentity;
  readonly look: () => Promise<SeenRun>;
  /** Until it is time to look again. */
  readonly pause?: () => Promise<void>;
  readonly now?: () => number;
}

/** Every change of a plan and its tasks, one after the other, until nothing more happens by itself. The last one says how it ended. */
export async function* followPlan(deps: FollowDeps): AsyncGenerator<LaterFinding> {
  const { identity, look, pause = () => delay(pauseMs), now = Date.now } = deps;
  const say = (change: string, words: string, more: object = {}, below: readonly string[] = []): LaterFinding => {
    const at = new Date(now()).toISOString();
    const lines = [`${at.slice(11, 19)}  ${words}`, ...below.map((line) => `            ${line}`)];
    return { lines, json: { at, change, words, ...more } };
  };
  let known: SeenRun | undefined;
  let isAway = false;
  for (;;) {
    const seen = await findAnswer(look);
    if ("problem" in seen) {
      if (!isAway) yield say("server", `The server does not answer: ${seen.problem}`);
    } else {
      if (isAway) yield say("server", "The server answers again");
      yield* runChanges(identity, known, seen).map((change) => {
        if (change.kind === "plan") return say("plan", change.words);
        if (change.kind === "wave") return say("wave", change.words, { wave: asJson(change.wave) });
        const { kind, words, lines, ...more } = change;
        return say(kind, words, more, lines);
      });
      known = seen;
      if (isRunOver(seen)) break;
    }
    isAway = "problem" in seen;
    await pause();
  }
  const { ok, words } = sayRunEnd(identity, known);
  yield { ...say("end", words, { ok, plan: asJson(known.plan) }), ok };
}

/** Follows a plan that was read: its bytes are fetched first, and say which hosts it has. */
export async function* followRead(connection: Connection, plan: Plan): AsyncGenerator<LaterFinding> {
  const identity = identityOf(await readPlanDocument(connection, plan));
  yield* followPlan({ identity, look: () => lookAtPlan(connection, plan.id) });
}

async function lookAtPlan(connection: Pick<Connection, "call">, id: string): Promise<SeenRun> {
  // Tasks after the plan: when it is over, they are those it ended with.
  const { data: plan } = await connection.call(planRoute, { params: { id } });
  const tasks = await readPlanTasks(connection, id);
  return plan.waves !== null && plan.waves > 1
    ? { plan, tasks, waves: (await readWaves(connection, id)).items }
    : { plan, tasks };
}

export async function readWaves(connection: Pick<Connection, "call">, id: string): Promise<PlanWaves> {
  return (await connection.call(planWavesRoute, { params: { id } })).data;
}

export async function readPlanTasks(connection: Pick<Connection, "call">, id: string): Promise<readonly PlanTask[]> {
  const most = planLimits.sections;
  const { items } = await listAll(connection, planTasksRoute, { params: { id }, most, pageSize: tasksPage });
  return items;
}

/** A server that restarts is away for a moment; the hosts go on. */
async function findAnswer(look: () => Promise<SeenRun>): Promise<SeenRun | { readonly problem: string }> {
  try {
    return await look();
  } catch (error) {
    if (isFault(error, "cli.server_unreachable")) return { problem: error.detail };
    throw error;
  }
}

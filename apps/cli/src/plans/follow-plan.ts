import { setTimeout as delay } from "node:timers/promises";
import type { LaterFinding } from "@gatehouse/command-line";
import { isFault } from "@gatehouse/contract";
import { planRoute, planTasksRoute } from "@gatehouse/contract/routes";
import { planLimits } from "@gatehouse/plan";
import type { Connection } from "../server/connection.ts";
import { asJson, listAll } from "../server/list-all.ts";
import { isRunOver, runChanges, sayRunEnd, type SeenRun } from "./plan-run.ts";

const pauseMs = 1_000;
/** The largest page of the route. */
const tasksPage = 500;

export interface FollowDeps {
  readonly look: () => Promise<SeenRun>;
  /** Until it is time to look again. */
  readonly pause?: () => Promise<void>;
  readonly now?: () => number;
}

/** Every change of a plan and its tasks, one after the other, until nothing more happens by itself. The last one says how it ended. */
export async function* followPlan(deps: FollowDeps): AsyncGenerator<LaterFinding> {
  const { look, pause = () => delay(pauseMs), now = Date.now } = deps;
  const say = (change: string, words: string, more: object = {}): LaterFinding => {
    const at = new Date(now()).toISOString();
    return { lines: [`${at.slice(11, 19)}  ${words}`], json: { at, change, words, ...more } };
  };
  let known: SeenRun | undefined;
  let isAway = false;
  for (;;) {
    const seen = await findAnswer(look);
    if ("problem" in seen) {
      if (!isAway) yield say("server", `The server does not answer: ${seen.problem}`);
    } else {
      if (isAway) yield say("server", "The server answers again");
      yield* runChanges(known, seen).map(({ kind, words, ...more }) => say(kind, words, more));
      known = seen;
      if (isRunOver(seen)) break;
    }
    isAway = "problem" in seen;
    await pause();
  }
  const { ok, words } = sayRunEnd(known);
  yield { ...say("end", words, { ok, plan: asJson(known.plan) }), ok };
}

export async function lookAtPlan(connection: Pick<Connection, "call">, id: string): Promise<SeenRun> {
  const params = { id };
  // Tasks after the plan: when it is over, they are those it ended with.
  const { data: plan } = await connection.call(planRoute, { params });
  const { items: tasks } = await listAll(connection, planTasksRoute, {
    params,
    most: planLimits.sections,
    pageSize: tasksPage,
  });
  return { plan, tasks };
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

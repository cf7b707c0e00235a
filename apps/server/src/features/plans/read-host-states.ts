import { channelLimits } from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract";
import type { Node } from "@gatehouse/contract/routes";
import { lintReadsOf, type PlanDraft, type Precondition, stateDigest, subjectsOf, trustSubject } from "@gatehouse/plan";
import type { ToldStates } from "../fleet/index.ts";
import { hashBytes } from "./hash-bytes.ts";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { refuseForHost } from "./refuse-host.ts";

/** What each host said, by its node. */
export type ReadStates = ReadonlyMap<string, HashedStates>;

/** With the hash that a plan carries of each part, by its subject: made as the answers come, not of all hosts at once. */
export interface HashedStates extends ToldStates {
  readonly hashes: ReadonlyMap<string, Precondition["state"]>;
}

/**
 * Asks every host of a draft what the parts are like that the draft would replace. One question for each host, so that what it
 * says is of one moment. It also asks whose word the host takes, for whoever approves, and what the lint wants to know besides.
 */
export async function readHostStates(
  deps: Pick<PlansDeps, "readStates">,
  draft: PlanDraft,
  nodes: readonly Node[],
): Promise<ReadStates> {
  const told = new Map<string, HashedStates>();
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const waiting = [...draft.sections];
  const askAll = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { node, operations } = next;
      const asks = lintReadsOf(operations);
      const subjects = [...subjectsOf(operations), ...asks, trustSubject];
      const name = names.get(node) ?? node;
      if (subjects.length > channelLimits.stateSubjects) {
        const most = channelLimits.stateSubjects - asks.length - 1;
        throw fault("plan.too_large", `${name}: at most ${most} parts of a host in one plan`);
      }
      told.set(node, await ask(deps, node, name, subjects));
    }
  };
  try {
    await Promise.all(Array.from({ length: plansLimits.hostsAtOnce }, askAll));
  } catch (error) {
    // One host that refuses is the end of the plan: the others are not asked in vain.
    waiting.length = 0;
    throw error;
  }
  return told;
}

/** The hash that a plan carries of what the host said. */
export function hashOfState(told: ReadStates, node: string, subject: string): Precondition["state"] | undefined {
  return told.get(node)?.hashes.get(subject);
}

export function hashStates(told: ToldStates): HashedStates {
  const hashOf = ({ subject, state }: ToldStates["states"][number]) =>
    state === null ? ("absent" as const) : stateDigest(hashBytes, subject, state);
  return { ...told, hashes: new Map(told.states.map((one) => [one.subject, hashOf(one)])) };
}

async function ask(
  deps: Pick<PlansDeps, "readStates">,
  node: string,
  name: string,
  subjects: readonly string[],
): Promise<HashedStates> {
  try {
    return hashStates(await deps.readStates(node, subjects));
  } catch (error) {
    if (!isFault(error)) throw error;
    throw refuseForHost({ node, name }, error);
  }
}

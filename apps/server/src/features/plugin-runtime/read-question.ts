import type { Json } from "@gatehouse/base";
import { type ActionName, fault } from "@gatehouse/contract";
import { actionLimits, type PlanNode, type PlanQuestion } from "@gatehouse/contract/broker";
import { nameQuestion } from "./plan-digests.ts";

/** What goes over the wire with an action: nothing, or the question of a plan. */
export type ActionParams = Readonly<Record<string, never>> | PlanQuestion;

export interface ReadQuestion {
  readonly params: ActionParams;
  /** Names the whole question of a plan, nodes included: that is what a second asking needs. */
  readonly inputSha256: string | undefined;
}

/** Holds a question to its action, and puts that of a plan into its one spelling. Refuses what no plugin could be asked. */
export function readQuestion({ action, input, nodes }: Asked): ReadQuestion {
  if (action !== "plan") {
    for (const [name, given] of Object.entries({ input, nodes })) {
      if (given !== undefined)
        throw fault("request.malformed", `${name}: is for the action plan; ${action} takes none`);
    }
    return { params: {}, inputSha256: undefined };
  }
  if (input === undefined) throw fault("request.malformed", "input: must be there for the action plan");
  const params: PlanQuestion = { input, nodes: (nodes ?? []).map(spell).toSorted(by(({ id }) => id)) };
  const { inputBytes, questionBytes } = actionLimits;
  requireFit("the input", input, inputBytes);
  requireFit("the question with its nodes", params, questionBytes);
  return { params, inputSha256: nameQuestion(params) };
}

interface Asked {
  readonly action: ActionName;
  readonly input: Json | undefined;
  readonly nodes?: readonly PlanNode[] | undefined;
}

/** Field by field: what a node gains later is not told to plugins by itself. */
function spell({ id, name, tags, addresses, states }: PlanNode): PlanNode {
  return {
    id,
    name,
    tags: tags.toSorted(),
    addresses: addresses.toSorted(),
    states: states
      .map(({ subject, state, publicKey }) => ({ subject, state, ...(publicKey !== undefined && { publicKey }) }))
      .toSorted(by(({ subject }) => subject)),
  };
}

/** By UTF-16 code unit, as everything that has one spelling. */
function by<T>(nameOf: (item: T) => string): (one: T, other: T) => number {
  return (one, other) => (nameOf(one) < nameOf(other) ? -1 : 1);
}

function requireFit(what: string, value: unknown, most: number): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > most) throw fault("plan.too_large", `${what} has ${bytes} bytes, and ${most} are allowed`);
}

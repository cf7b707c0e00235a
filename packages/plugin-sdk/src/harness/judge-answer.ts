import type { Json } from "@gatehouse/base";
import type { ActionName, Capability } from "@gatehouse/contract";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { findCapabilityGaps, findStrayNodes, readPlanDraft } from "@gatehouse/plan";
import type * as z from "zod";
import type { HarnessRun } from "./harness-run.ts";
import type { Spoken } from "./speak-with.ts";

/** What a server would make of it: the result, or the first thing that is wrong. */
export function judgeAnswer(
  action: ActionName,
  { answer, broken, calls, end }: Spoken,
  bounds: AnswerBounds,
): Omit<HarnessRun, "action"> {
  const { stderr, ms, peakMemoryBytes } = end;
  const facts = { calls, stderr, ms, peakMemoryBytes };
  const fail = (trouble: string) => ({ ...facts, trouble });
  if (broken !== undefined) return fail(broken);
  if (end.outcome !== "exited" || end.code !== 0) return fail(end.reason);
  if (answer === undefined) return fail("it ended without an answer");
  if ("refused" in answer) return fail(`it answered with an error: ${answer.refused}`);
  const trouble = judges[action](answer.result, bounds);
  return trouble === undefined ? { ...facts, result: answer.result } : fail(trouble);
}

/** What the manifest declares, and the nodes that a plan was asked for. */
interface AnswerBounds {
  readonly capabilities: readonly Capability[];
  readonly asked: readonly { readonly id: string }[];
}

const judges: Readonly<Record<ActionName, (result: Json, bounds: AnswerBounds) => string | undefined>> = {
  describe: (result) => findTrouble(describeResult, result),
  health: (result) => findTrouble(healthResult, result),
  plan: (result, { capabilities, asked }) => {
    const draft = readPlanDraft(result);
    if (!draft.ok) return `its plan is not one: ${draft.reason}`;
    const [gap] = findCapabilityGaps(draft.value, capabilities);
    const [stray] = findStrayNodes(draft.value, asked);
    if (gap === undefined)
      return stray === undefined ? undefined : `its plan is for ${stray}, which it was not asked for`;
    return gap.capability === null
      ? `its plan holds ${gap.kind}, which no plugin may plan`
      : `its plan holds ${gap.kind}, which needs the capability ${gap.capability}`;
  },
};

function findTrouble(schema: z.ZodType, result: Json): string | undefined {
  const parsed = schema.safeParse(result);
  if (parsed.success) return undefined;
  const { path = [], message = "" } = parsed.error.issues[0] ?? {};
  return `its answer is not one: /${path.join("/")} ${message}`;
}

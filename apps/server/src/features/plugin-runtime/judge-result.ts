import type { Json } from "@gatehouse/base";
import type { ActionName, Capability } from "@gatehouse/contract";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { findCapabilityGaps, findStrayNodes, type PlanDraft, readPlanDraft } from "@gatehouse/plan";
import type * as z from "zod";

export type JudgedResult =
  | { readonly ok: true; readonly result: Json; readonly draft?: PlanDraft }
  | { readonly ok: false; readonly reason: string };

/** What an answer may be about. */
export interface ResultBounds {
  /** What the manifest declares. */
  readonly capabilities: readonly Capability[];
  /** The nodes that a plan was asked for. */
  readonly asked: readonly { readonly id: string }[];
}

const judges: Readonly<Record<ActionName, (result: Json, bounds: ResultBounds) => JudgedResult>> = {
  describe: (result) => readForm(describeResult, result),
  health: (result) => readForm(healthResult, result),
  plan: judgePlan,
};

/**
 * Holds what a plugin answered to the form its action has; a plan may hold only what the manifest declares, for nodes it was asked
 * for. Pure.
 */
export function judgeResult(action: ActionName, result: Json, bounds: ResultBounds): JudgedResult {
  return judges[action](result, bounds);
}

function judgePlan(result: Json, { capabilities, asked }: ResultBounds): JudgedResult {
  const reading = readPlanDraft(result);
  if (!reading.ok) return { ok: false, reason: `its plan is not one: ${reading.reason}` };
  const gaps = findCapabilityGaps(reading.value, capabilities).map(({ kind, capability }) =>
    capability === null ? `${kind}, which no plugin may plan` : `${kind}, which needs the capability ${capability}`,
  );
  if (gaps.length > 0) return { ok: false, reason: `its plan holds ${gaps.join(", and ")}` };
  const [stray] = findStrayNodes(reading.value, asked);
  if (stray !== undefined) return { ok: false, reason: `its plan is for ${stray}, which it was not asked for` };
  return { ok: true, result, draft: reading.value };
}

function readForm(schema: z.ZodType, result: Json): JudgedResult {
  const parsed = schema.safeParse(result);
  if (parsed.success) return { ok: true, result };
  const issue = parsed.error.issues[0];
  const path = (issue?.path ?? []).map((part) =>
    String(part)
      .replace(/[^\w.-]/g, "?")
      .slice(0, 40),
  );
  return { ok: false, reason: `its answer is not one: /${path.join("/")} ${issue?.message ?? "is not as expected"}` };
}

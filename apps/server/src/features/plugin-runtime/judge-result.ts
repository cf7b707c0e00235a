import type { Json } from "@gatehouse/base";
import type { ActionName, Capability } from "@gatehouse/contract";
import { describeResult, healthResult } from "@gatehouse/contract/broker";
import { findCapabilityGaps, type PlanDraft, readPlanDraft } from "@gatehouse/plan";
import type * as z from "zod";

export type JudgedResult =
  | { readonly ok: true; readonly result: Json; readonly draft?: PlanDraft }
  | { readonly ok: false; readonly reason: string };

const judges: Readonly<Record<ActionName, (result: Json, declared: readonly Capability[]) => JudgedResult>> = {
  describe: (result) => readForm(describeResult, result),
  health: (result) => readForm(healthResult, result),
  plan: judgePlan,
};

/** Holds what a plugin answered to the form its action has; a plan may hold only what the manifest declares. Pure. */
export function judgeResult(action: ActionName, result: Json, declared: readonly Capability[]): JudgedResult {
  return judges[action](result, declared);
}

function judgePlan(result: Json, declared: readonly Capability[]): JudgedResult {
  const reading = readPlanDraft(result);
  if (!reading.ok) return { ok: false, reason: `its plan is not one: ${reading.reason}` };
  const gaps = findCapabilityGaps(reading.value, declared).map(({ kind, capability }) =>
    capability === null ? `${kind}, which no plugin may plan` : `${kind}, which needs the capability ${capability}`,
  );
  if (gaps.length > 0) return { ok: false, reason: `its plan holds ${gaps.join(", and ")}` };
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

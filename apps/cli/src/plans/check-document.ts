import { isDeepStrictEqual } from "node:util";
import { fault } from "@gatehouse/contract";
import type { Plan } from "@gatehouse/contract/routes";
import { parsePlan, planDigest, type PlanDocument } from "@gatehouse/plan";
import { sha256Of } from "../sha256-of.ts";

/**
 * The plan itself, when its bytes have the digest that the server names, and the server tells of it what stands in them. The digest
 * is computed here: a server that was taken over would show one plan and have another signed.
 */
export function checkDocument(plan: Plan, bytes: Uint8Array): PlanDocument {
  const read = parsePlan(bytes);
  if (!read.ok) throw planDiffers(plan.id, `its document cannot be read here: ${read.reason}`);
  const digest = planDigest(sha256Of, read.value);
  if (digest !== plan.digest) {
    throw planDiffers(
      plan.id,
      `the server shows another plan than its digest names: expected ${plan.digest}, found ${digest}`,
    );
  }
  const { header, sections } = read.value;
  const inside = { title: header.title, summary: header.summary, source: header.source, nodes: sections.length };
  const told = { title: plan.title, summary: plan.summary, source: plan.source, nodes: plan.nodes };
  for (const field of Object.keys(inside) as (keyof typeof inside)[]) {
    if (!isDeepStrictEqual(inside[field], told[field])) {
      throw planDiffers(plan.id, `the server tells another ${field} than stands in the plan`);
    }
  }
  // Nobody is shown half of what they would sign: nothing here tells what it means, and a later agent might take it.
  if ("together" in header)
    throw fault("plan.together", `${plan.id}: expected a plan of single hosts, found one of hosts together`);
  return read.value;
}

export function planDiffers(id: string, detail: string): Error {
  return fault("cli.plan_differs", `${id}: ${detail}`);
}

import { fault } from "@gatehouse/contract";
import type { CheckedSection } from "../plans/check-section.ts";
import { lintHere, type PlanAround } from "../plans/lint-here.ts";

/** Nobody signs what the lint refuses here, whatever the server let pass: there is no way past it. */
export function checkLint(sections: readonly CheckedSection[], around: PlanAround): void {
  for (const checked of sections) {
    const found = lintHere(checked, around).find(({ severity }) => severity === "refuse");
    if (found === undefined) continue;
    const where = `${checked.view.name} (${checked.section.node}), operation ${found.operation + 1}`;
    throw fault("plan.lint_refused", `${where}: ${found.code}: ${found.says}`);
  }
}

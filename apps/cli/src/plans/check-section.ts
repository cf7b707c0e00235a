import { isDeepStrictEqual } from "node:util";
import type { PlanSectionView } from "@gatehouse/contract/routes";
import type { PlanDocument, PlanSection } from "@gatehouse/plan";
import { planDiffers } from "./check-document.ts";
import { checkStates, type HostWord } from "./check-states.ts";

/** What the server shows of a section, beside the section of the checked document that it belongs to. */
export interface CheckedSection {
  readonly view: PlanSectionView;
  readonly section: PlanSection;
  /** What the host signed of the parts that the section is about. Null where it changes none. */
  readonly host: HostWord | null;
}

/** Holds what the server shows of a section against the document: the node, every operation, and the states it was made from. */
export function checkSection(id: string, document: PlanDocument, view: PlanSectionView): CheckedSection {
  const section = document.sections[view.index];
  if (section === undefined || section.node !== view.node) {
    throw planDiffers(id, `the server shows a section for ${view.node} that is not in the plan`);
  }
  const same =
    isDeepStrictEqual(
      view.operations.map(({ kind }) => kind),
      section.operations.map(({ kind }) => kind),
    ) && isDeepStrictEqual(view.preconditions, section.preconditions);
  if (!same)
    throw planDiffers(id, `the server shows other operations or states of ${view.node} than stand in the plan`);
  return { view, section, host: checkStates(section, view.states) };
}

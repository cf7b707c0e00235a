import { fault } from "@gatehouse/contract/faults";
import { type PlanSection, planSection } from "@gatehouse/plan";

/** The section as the journal kept it. It was judged when it was accepted; another form now is damage. */
export function sectionOf({ section }: { readonly section: unknown }): PlanSection {
  const parsed = planSection.safeParse(section);
  if (!parsed.success) throw fault("journal.unsound", "the section of the open change is not one that was accepted");
  return parsed.data;
}

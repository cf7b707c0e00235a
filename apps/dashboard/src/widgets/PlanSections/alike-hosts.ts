import type { PlanSectionView } from "@gatehouse/contract/routes";
import { compareNames } from "../Fleet/fleet-groups.ts";

/** Hosts on which the plan does the same, with the same findings, and that take the same word for it. */
export interface AlikeHosts {
  readonly hosts: readonly Pick<PlanSectionView, "node" | "name">[];
  /** What is the same on all of them, as the first has it. */
  readonly section: PlanSectionView;
}

/** In the order of the plan: a difference that a hundred hosts share is read once, and one that a single host has is not missed. */
export function groupAlike(sections: readonly PlanSectionView[]): readonly AlikeHosts[] {
  const groups = new Map<string, { hosts: PlanSectionView[]; section: PlanSectionView }>();
  for (const section of sections) {
    const key = JSON.stringify([section.operations, section.findings, section.accepts]);
    const known = groups.get(key);
    if (known === undefined) groups.set(key, { hosts: [section], section });
    else known.hosts.push(section);
  }
  return [...groups.values()].map(({ hosts, section }) => ({
    hosts: hosts.toSorted((a, b) => compareNames(a.name, b.name)),
    section,
  }));
}

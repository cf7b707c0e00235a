import type { PlanSectionView } from "@gatehouse/contract/routes";
import type { State } from "../../ui/StateMark.tsx";

export interface FoldedFinding {
  readonly key: string;
  readonly state: State;
  readonly says: string;
  /** "fra1-edge-01", or how many. */
  readonly hosts: string;
}

const states = { refuse: "bad", warn: "warn", note: "idle" } as const;
const order = ["refuse", "warn", "note"] as const;

/** Each finding once, with the hosts that it is about; what weighs most first. */
export function foldFindings(
  sections: readonly Pick<PlanSectionView, "name" | "findings">[],
): readonly FoldedFinding[] {
  const all = sections.flatMap(({ name, findings }) => findings.map((finding) => ({ name, ...finding })));
  const alike = Map.groupBy(all, ({ severity, code, says }) => `${severity} ${code} ${says}`);
  return [...alike]
    .map(([key, group]) => ({ key, severity: group[0]?.severity ?? "note", says: group[0]?.says ?? "", group }))
    .toSorted((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity))
    .map(({ key, severity, says, group }) => {
      const names = [...new Set(group.map(({ name }) => name))];
      const hosts = names.length === 1 ? (names[0] ?? "") : `on ${names.length.toLocaleString("en-GB")} hosts`;
      return { key, state: states[severity], says, hosts };
    });
}

import type { ActiveContribution } from "@gatehouse/contract/routes";
import { components, hasComponent } from "../../contributions/components.ts";

type Contributed = Pick<ActiveContribution, "plugin" | "kind" | "component">;

/** The plugins whose lines the map may draw: what they contribute enhances this surface, and this build knows it (contract 3.2). */
export function linesOfContributed(items: readonly Contributed[]): readonly string[] {
  return items
    .filter(
      ({ kind, component }) =>
        kind === "enhancement" && hasComponent(component) && components[component] === "fleet.map",
    )
    .map(({ plugin }) => plugin);
}

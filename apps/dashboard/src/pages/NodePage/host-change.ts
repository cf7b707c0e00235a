import type { Node } from "@gatehouse/contract/routes";
import type { PlanWish } from "../../api/plans.ts";
import { truncateMiddle } from "../../ui/middle.ts";
import { type CeilingView, parseCeilingView } from "../../widgets/Fleet/ceiling-words.ts";

/** A change of one host that a person writes by hand, in the form of a plan's operation. */
export type HostChange =
  | { readonly kind: "service.restart"; readonly unit: string }
  | {
      readonly kind: "file.write";
      readonly path: string;
      readonly text: string;
      readonly mode: string;
      readonly owner: string;
      readonly group: string;
    };

const mostTitle = 120;

/** What is sent to have a plan of it made. `why` is what reviewers read first. */
export function planWishOf(
  { id, name }: Pick<Node, "id" | "name">,
  change: HostChange,
  { why, review }: { readonly why: string; readonly review: boolean },
): PlanWish {
  const title = change.kind === "service.restart" ? `Restart ${change.unit}` : `Write ${change.path}`;
  return {
    title: truncateMiddle(`${title} on ${name}`, mostTitle),
    summary: why,
    operations: [{ ...change }],
    nodes: [id],
    review,
  };
}

/** What the ceiling of the host names for changes of this kind: `nginx.service`, `/etc/nginx`. */
export function namedTargets(facts: Node["facts"], kind: HostChange["kind"]): readonly string[] {
  return entriesOf(viewOf(facts), kind);
}

/**
 * The command with which root of the host would let the change be planned; undefined where the ceiling names it already, or is not
 * known here. The host decides by its own reading.
 */
export function raiseCommandFor(facts: Node["facts"], change: HostChange): string | undefined {
  const view = viewOf(facts);
  const target = change.kind === "service.restart" ? change.unit : change.path;
  if (view === undefined || target === "") return undefined;
  const isNamed = entriesOf(view, change.kind).some(
    (named) => named === target || (change.kind === "file.write" && target.startsWith(`${named.replace(/\/$/, "")}/`)),
  );
  if (isNamed) return undefined;
  // The list that is given replaces the earlier one.
  const allow = [...view.allow, `${change.kind}:${target}`].join(",");
  return `sudo gatehouse-agent ceiling set managed --allow ${allow}`;
}

function viewOf(facts: Node["facts"]): CeilingView | undefined {
  return facts === null ? undefined : parseCeilingView(facts.ceiling);
}

function entriesOf(view: CeilingView | undefined, kind: HostChange["kind"]): readonly string[] {
  return (view?.allow ?? [])
    .filter((entry) => entry.startsWith(`${kind}:`))
    .map((entry) => entry.slice(kind.length + 1));
}

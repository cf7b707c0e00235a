import type { Node } from "@gatehouse/contract/routes";
import type { PlanWish } from "../../api/plans.ts";
import { truncateMiddle } from "../../ui/middle.ts";
import { type CeilingView, parseCeilingView } from "../Fleet/ceiling-words.ts";

export interface RestartChange {
  readonly kind: "service.restart";
  readonly unit: string;
}

export interface WriteChange {
  readonly kind: "file.write";
  readonly path: string;
  readonly text: string;
  readonly mode: string;
  readonly owner: string;
  readonly group: string;
}

/** A change of a host that a person writes by hand, in the form of a plan's operation. */
export type HostChange = RestartChange | WriteChange;

/** A change whose target the ceiling of a host has to name. */
export type NamedChange = HostChange | { readonly kind: "network.wireguard"; readonly interface: string };

/** What a form of each kind begins with. */
export const emptyChanges: { readonly [Kind in HostChange["kind"]]: Extract<HostChange, { readonly kind: Kind }> } = {
  "service.restart": { kind: "service.restart", unit: "" },
  "file.write": { kind: "file.write", path: "", text: "", mode: "0644", owner: "root", group: "root" },
};

/** What is wrong with which field. */
export type ChangeFaults = Readonly<Partial<Record<"unit" | "path" | "text" | "mode" | "owner" | "group", string>>>;

/** What would certainly be refused; the server judges the rest. */
export function findChangeFaults(change: HostChange): ChangeFaults {
  if (change.kind === "service.restart") {
    return change.unit.trim().endsWith(".service") ? {} : { unit: "Name the service whole, such as nginx.service." };
  }
  return {
    ...(!change.path.trim().startsWith("/") && { path: "Name the whole path, from / on." }),
    ...(!/^0[0-7]{3}$/.test(change.mode) && { mode: "Four digits, such as 0644." }),
    ...(change.owner.trim() === "" && { owner: "Name a user of the host." }),
    ...(change.group.trim() === "" && { group: "Name a group of the host." }),
  };
}

/** As it is sent: without blanks around names. The text of a file is taken as it stands. */
export function trimChange(change: HostChange): HostChange {
  if (change.kind === "service.restart") return { ...change, unit: change.unit.trim() };
  const { path, owner, group } = change;
  return { ...change, path: path.trim(), owner: owner.trim(), group: group.trim() };
}

/** "Restart nginx.service", "Write /etc/motd". */
export function changeTitle(change: HostChange): string {
  return change.kind === "service.restart" ? `Restart ${change.unit}` : `Write ${change.path}`;
}

export const mostTitle = 120;

/** What is sent to have a plan of it made. `why` is what reviewers read first. */
export function planWishOf(
  { id, name }: Pick<Node, "id" | "name">,
  change: HostChange,
  { why, review }: { readonly why: string; readonly review: boolean },
): PlanWish {
  return {
    title: truncateMiddle(`${changeTitle(change)} on ${name}`, mostTitle),
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
export function raiseCommandFor(facts: Node["facts"], change: NamedChange): string | undefined {
  const view = viewOf(facts);
  const target = targetOf(change);
  if (view === undefined || target === "") return undefined;
  const isNamed = entriesOf(view, change.kind).some(
    (named) => named === target || (change.kind === "file.write" && target.startsWith(`${named.replace(/\/$/, "")}/`)),
  );
  if (isNamed) return undefined;
  // The list that is given replaces the earlier one.
  const allow = [...view.allow, `${change.kind}:${target}`].join(",");
  return `sudo gatehouse-agent ceiling set managed --allow ${allow}`;
}

function targetOf(change: NamedChange): string {
  if (change.kind === "network.wireguard") return change.interface;
  return change.kind === "service.restart" ? change.unit : change.path;
}

function viewOf(facts: Node["facts"]): CeilingView | undefined {
  return facts === null ? undefined : parseCeilingView(facts.ceiling);
}

function entriesOf(view: CeilingView | undefined, kind: NamedChange["kind"]): readonly string[] {
  return (view?.allow ?? [])
    .filter((entry) => entry.startsWith(`${kind}:`))
    .map((entry) => entry.slice(kind.length + 1));
}

import type { Node } from "@gatehouse/contract/routes";
import type { ArtifactFacts } from "@gatehouse/plan";
import type { PlanWish } from "../../api/plans.ts";
import { truncateMiddle } from "../../ui/middle.ts";
import { type CeilingView, parseCeilingView, parseTarget, sayTarget } from "../Fleet/ceiling-words.ts";

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

/** What the publisher of a program has signed of it. */
export type ProgramFacts = Omit<Extract<ArtifactFacts, { readonly kind: "binary" }>, "kind">;

export interface ReplaceChange {
  readonly kind: "binary.replace";
  readonly path: string;
  /** Of the artifact that was chosen; `null` before. */
  readonly program: ProgramFacts | null;
}

/** What the release key has signed of a release of the agent. */
export type ReleaseFacts = Omit<Extract<ArtifactFacts, { readonly kind: "release" }>, "kind" | "name">;

export interface UpdateChange {
  readonly kind: "agent.update";
  /** Of the artifact that was chosen; `null` before. */
  readonly release: ReleaseFacts | null;
}

/** A change of a host that a person writes by hand. */
export type HostChange = RestartChange | WriteChange | ReplaceChange | UpdateChange;

/** A change whose target the ceiling of a host has to name. */
export type NamedChange = HostChange | { readonly kind: "network.wireguard"; readonly interface: string };

/** In the order in which hosts do them: a service starts with the files and the programs that it is to have. An update is alone. */
export const changeKinds = [
  "file.write",
  "binary.replace",
  "service.restart",
  "agent.update",
] as const satisfies HostChange["kind"][];

/** What a form of each kind begins with. */
export const emptyChanges: { readonly [Kind in HostChange["kind"]]: Extract<HostChange, { readonly kind: Kind }> } = {
  "service.restart": { kind: "service.restart", unit: "" },
  "file.write": { kind: "file.write", path: "", text: "", mode: "0644", owner: "root", group: "root" },
  "binary.replace": { kind: "binary.replace", path: "", program: null },
  "agent.update": { kind: "agent.update", release: null },
};

type ChangeField = "unit" | "path" | "text" | "mode" | "owner" | "group" | "program" | "release";

/** What is wrong with which field. */
export type ChangeFaults = Readonly<Partial<Record<ChangeField, string>>>;

const noPath = "Name the whole path, from / on.";

/** What would certainly be refused; the server judges the rest. */
export function findChangeFaults(change: HostChange): ChangeFaults {
  switch (change.kind) {
    case "service.restart":
      return change.unit.trim().endsWith(".service") ? {} : { unit: "Name the service whole, such as nginx.service." };
    case "binary.replace":
      return {
        ...(!change.path.trim().startsWith("/") && { path: noPath }),
        ...(change.program === null && { program: "Choose the program that is to be there." }),
      };
    case "agent.update":
      return change.release === null ? { release: "Choose the release that the agent is to be." } : {};
    case "file.write":
      return {
        ...(!change.path.trim().startsWith("/") && { path: noPath }),
        ...(!/^0[0-7]{3}$/.test(change.mode) && { mode: "Four digits, such as 0644." }),
        ...(change.owner.trim() === "" && { owner: "Name a user of the host." }),
        ...(change.group.trim() === "" && { group: "Name a group of the host." }),
      };
  }
}

/** Without blanks around names. The text of a file is taken as it stands. */
export function trimChange(change: HostChange): HostChange {
  switch (change.kind) {
    case "service.restart":
      return { ...change, unit: change.unit.trim() };
    case "binary.replace":
      return { ...change, path: change.path.trim() };
    case "agent.update":
      return change;
    case "file.write":
      return { ...change, path: change.path.trim(), owner: change.owner.trim(), group: change.group.trim() };
  }
}

/** As it is sent: the operation of a plan. */
export function operationOf(change: HostChange): { readonly kind: HostChange["kind"] } {
  if (change.kind === "agent.update") return { kind: change.kind, ...change.release };
  if (change.kind !== "binary.replace") return { ...change };
  const { program, ...rest } = change;
  return { ...rest, ...program };
}

/** "Restart nginx.service", "Write /etc/motd", "Replace /usr/local/bin/caddy by caddy 2.8.4". */
export function changeTitle(change: HostChange): string {
  switch (change.kind) {
    case "service.restart":
      return `Restart ${change.unit}`;
    case "binary.replace": {
      const { path, program } = change;
      return `Replace ${path}${program === null ? "" : ` by ${program.name} ${program.version}`}`;
    }
    case "agent.update":
      return `Update the agent${change.release === null ? "" : ` to ${change.release.version}`}`;
    case "file.write":
      return `Write ${change.path}`;
  }
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
    operations: [operationOf(change)],
    nodes: [id],
    review,
  };
}

/** What the ceiling of the host names for changes of this kind, in words: `nginx.service`, `/etc/nginx`. */
export function namedTargets(facts: Node["facts"], kind: HostChange["kind"]): readonly string[] {
  return entriesOf(viewOf(facts), kind).map(sayTarget);
}

/**
 * The command with which root of the host would let the change be planned; undefined where the ceiling names it already, or is not
 * known here. The host decides by its own reading.
 */
export function raiseCommandFor(facts: Node["facts"], change: NamedChange): string | undefined {
  const view = viewOf(facts);
  if (view === undefined) return undefined;
  const entry = change.kind === "agent.update" ? lackedUpdate(view) : lackedEntry(view, change);
  if (entry === undefined) return undefined;
  // The list that is given replaces the earlier one.
  return `sudo gatehouse-agent ceiling set managed --allow ${[...view.allow, entry].join(",")}`;
}

type PlacedChange = Exclude<NamedChange, UpdateChange>;

/** There is one agent: the entry has no target. */
function lackedUpdate({ allow }: CeilingView): string | undefined {
  return allow.includes("agent.update") ? undefined : "agent.update";
}

function lackedEntry(view: CeilingView, change: PlacedChange): string | undefined {
  const wanted = wantedOf(change);
  const { place, publisher } = wanted;
  if (place === "" || isNamed(entriesOf(view, change.kind), wanted)) return undefined;
  return `${change.kind}:${place}${publisher === undefined ? "" : `=${publisher}`}`;
}

interface Wanted {
  readonly place: string;
  /** A path is also named by a directory above it. */
  readonly isPath: boolean;
  /** Whose program it is. */
  readonly publisher?: string | undefined;
}

function wantedOf(change: PlacedChange): Wanted {
  switch (change.kind) {
    case "network.wireguard":
      return { place: change.interface, isPath: false };
    case "service.restart":
      return { place: change.unit, isPath: false };
    case "file.write":
      return { place: change.path, isPath: true };
    case "binary.replace":
      return { place: change.path, isPath: true, publisher: change.program?.publisher };
  }
}

/** Of entries around a path those nearest to it decide whose programs may come there. */
function isNamed(entries: readonly string[], { place, isPath, publisher }: Wanted): boolean {
  const around = entries
    .map(parseTarget)
    .filter((named) => named.place === place || (isPath && place.startsWith(`${named.place.replace(/\/$/, "")}/`)));
  const nearest = Math.max(...around.map((named) => named.place.length));
  const only = around.flatMap((named) => (named.place.length === nearest ? (named.publisher ?? []) : []));
  return around.length > 0 && (only.length === 0 || publisher === undefined || only.includes(publisher));
}

function viewOf(facts: Node["facts"]): CeilingView | undefined {
  return facts === null ? undefined : parseCeilingView(facts.ceiling);
}

function entriesOf(view: CeilingView | undefined, kind: NamedChange["kind"]): readonly string[] {
  return (view?.allow ?? [])
    .filter((entry) => entry.startsWith(`${kind}:`))
    .map((entry) => entry.slice(kind.length + 1));
}

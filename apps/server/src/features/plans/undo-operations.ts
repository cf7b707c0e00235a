import type { SubjectState } from "@gatehouse/channel";
import {
  fileState,
  type FirewallApply,
  interfaceLinkOf,
  type NetworkWireguard,
  type Operation,
  operation,
  type OperationKind,
  planLimits,
  type PlanSection,
  stateDigest,
  subjectOf,
  wireguardState,
} from "@gatehouse/plan";
import { isDeepStrictEqual } from "node:util";
import { hashBytes } from "./hash-bytes.ts";

type Of<Kind extends OperationKind> = Extract<Operation, { kind: Kind }>;
export type ProgramFacts = Omit<Of<"binary.replace">, "kind" | "path">;

/** Where contents are looked for that an operation has and a host's word about its part has not, or not in that form. */
export interface UndoContents {
  /** The operation that gives a table as the host told it. */
  readonly tableOf: (name: string, state: object) => FirewallApply | undefined;
  /** A text with this digest that a plan wrote to this path of the host. */
  readonly findText: (path: string, sha256: string) => string | undefined;
  readonly findProgram: (sha256: string) => ProgramFacts | undefined;
  /** As the host was given it by plans before, the last one first. */
  readonly interfacesOf: (name: string) => readonly NetworkWireguard[];
}

/** What puts a host back to before a section, or why that cannot be: every reason, each with its operation. */
export type Undo =
  | { readonly operations: readonly Operation[] }
  | { readonly operations?: undefined; readonly why: readonly string[] };

/**
 * The operations that put back what was there before a section. Parts come back in reverse order, as a host takes a change back:
 * what came later may rest on what came before. Restarts stand behind them in the plan's own order, because a service reads what is
 * there when it starts. What only reads is left out.
 */
export function undoOperations(
  section: Pick<PlanSection, "operations" | "preconditions">,
  told: readonly SubjectState[],
  contents: UndoContents,
): Undo {
  const parts: Operation[] = [];
  const restarts: Operation[] = [];
  const why: string[] = [];
  const seen = new Set<string>();
  for (const [index, one] of [...section.operations.entries()].toReversed()) {
    const subject = subjectOf(one);
    // A part that was changed twice had one state before.
    if (subject === null || seen.has(subject)) continue;
    seen.add(subject);
    const back = wayBack(one, stateBefore(section, told, subject), contents);
    if (typeof back === "string") why.push(`operation ${index + 1}, ${one.kind} ${nameOf(one)}: ${back}`);
    else (back.kind === "service.restart" ? restarts : parts).push(back);
  }
  if (why.length > 0) return { why: why.toReversed() };
  if (parts.length === 0) return { why: ["nothing to undo: it has only restarted services and read logs"] };
  const bytes = parts.reduce((sum, one) => sum + (one.kind === "binary.replace" ? one.size : 0), 0);
  if (bytes > planLimits.artifactBytes) {
    return { why: [`expected programs of at most ${planLimits.artifactBytes} bytes together, found ${bytes}`] };
  }
  return { operations: [...parts, ...restarts.toReversed()] };
}

/** The operation that puts a part back, or why there is none. Before: null where there was none, undefined where nothing is kept. */
type WayBack<Kind extends OperationKind> = (
  one: Of<Kind>,
  before: SubjectState["state"] | undefined,
  contents: UndoContents,
) => Operation | string;

const ways: { readonly [Kind in OperationKind]: WayBack<Kind> } = {
  "firewall.apply": firewallBack,
  "network.wireguard": wireguardBack,
  "service.restart": (one) => one,
  "file.write": fileBack,
  "binary.replace": programBack,
  "agent.update": () =>
    "expected a way back, found none by plan: hosts take later versions of the agent alone (artifact.downgrade)",
  "log.tail": (one) => one,
};

function wayBack(one: Operation, before: SubjectState["state"] | undefined, contents: UndoContents) {
  // Each takes the operation of its own kind, and it is found by that kind.
  const way = ways[one.kind] as (...asked: [Operation, typeof before, UndoContents]) => Operation | string;
  return way(one, before, contents);
}

/**
 * What the host signed of a part when the plan was made. It counts only as far as the plan's own precondition has its hash: that one
 * was approved, and the host has held it against itself before it changed anything.
 */
function stateBefore(
  { preconditions }: Pick<PlanSection, "preconditions">,
  told: readonly SubjectState[],
  subject: string,
): SubjectState["state"] | undefined {
  const expected = preconditions.find((one) => one.subject === subject)?.state;
  if (expected === "absent") return null;
  const found = told.find((one) => one.subject === subject)?.state;
  if (found === undefined || found === null) return undefined;
  return stateDigest(hashBytes, subject, found) === expected ? found : undefined;
}

const unknown = "expected what the host signed of it when the plan was made, found nothing that is kept";

function wasAbsent(what: string): string {
  return `expected something to put back, found that there was no such ${what} before: no plan removes one`;
}

function firewallBack(
  { table }: Of<"firewall.apply">,
  before: SubjectState["state"] | undefined,
  { tableOf }: UndoContents,
): Operation | string {
  if (before === null) return wasAbsent("table");
  if (before === undefined) return unknown;
  return tableOf(table, before) ?? "expected rules as plans have them, found others: somebody else wrote that table";
}

/** A host tells neither labels nor where it finds its peers: both come from the plan that set the interface up so. */
function wireguardBack(
  { interface: name }: Of<"network.wireguard">,
  before: unknown,
  { interfacesOf }: UndoContents,
): Operation | string {
  if (before === null) return wasAbsent("interface");
  const state = wireguardState.safeParse(before).data;
  if (state === undefined) return unknown;
  const { publicKey, interface: link } = state;
  if (link === null) return wasAbsent("interface");
  const isThat = (one: NetworkWireguard) =>
    (one.publicKey ?? publicKey) === publicKey && isDeepStrictEqual(interfaceLinkOf(one, publicKey), link);
  return (
    interfacesOf(name).find(isThat) ??
    "expected an earlier plan that set the interface up so, found none that is kept: a host does not tell where its peers are found"
  );
}

function fileBack({ path }: Of<"file.write">, before: unknown, { findText }: UndoContents): Operation | string {
  if (before === null) return wasAbsent("file");
  const state = fileState.safeParse(before).data;
  if (state === undefined) return unknown;
  const { mode, owner, group } = state;
  if (!("sha256" in state)) return untold("text");
  const text = findText(path, state.sha256);
  if (text === undefined) {
    return `expected an earlier plan that wrote the text with the sha256 ${state.sha256} there, found none that is kept`;
  }
  const written = operation.safeParse({ kind: "file.write", path, text, mode, owner, group }).data;
  return written ?? `expected a mode and an owner as plans write them, found mode ${mode}, ${owner}:${group}`;
}

function programBack(
  { path }: Of<"binary.replace">,
  before: unknown,
  { findProgram }: UndoContents,
): Operation | string {
  if (before === null) return wasAbsent("program");
  const state = fileState.safeParse(before).data;
  if (state === undefined) return unknown;
  if (!("sha256" in state)) return untold("program");
  const facts = findProgram(state.sha256);
  if (facts === undefined) return `expected the artifact ${state.sha256} whole on this server, found none`;
  return { kind: "binary.replace", path, ...facts };
}

function untold(what: string): string {
  return `expected the digest of the ${what} that was there, found none: others may not read it, and the host tells no digest of it`;
}

/** The part without the word of its kind. */
function nameOf(one: Operation): string {
  return (subjectOf(one) ?? "").replace(/^[a-z]+:/, "");
}

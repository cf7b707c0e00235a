import { setImmediate as othersTurn } from "node:timers/promises";
import type { SubjectState } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract";
import { type PlanRecord, planKind } from "@gatehouse/contract/records";
import {
  findFirewallOf,
  type FirewallApply,
  firewallState,
  type NetworkWireguard,
  type Operation,
  type PlanDocument,
  type PlanSection,
  stateDigest,
} from "@gatehouse/plan";
import { listRecords } from "@gatehouse/store/decide";
import { hashBytes } from "./hash-bytes.ts";
import { plansLimits } from "./limits.ts";
import type { PlansDeps } from "./plans-deps.ts";
import { readDocument } from "./read-document.ts";
import { readTasksOf, type StandingTask } from "./read-tasks-of.ts";
import { type ProgramFacts, type UndoContents, undoOperations } from "./undo-operations.ts";

/** A host that has kept the change of a plan, with what it was made from. */
export interface UndoneHost extends StandingTask {
  readonly section: PlanSection;
  readonly told: readonly SubjectState[];
}

type Deps = Pick<PlansDeps, "store" | "blobs" | "findProgram">;

/**
 * Looks through this server for what the way back of these hosts needs: first it is asked what that is, then the plans before this
 * one are read, the newest first, until all texts are found or so many plans were read as one request may.
 */
export async function findUndoContents(
  deps: Deps,
  plan: PlanRecord,
  hosts: AsyncIterable<UndoneHost>,
): Promise<(node: string) => UndoContents> {
  const found = new FoundContents();
  const endedAt = new Map<string, string>();
  for await (const { node, stateAt, section, told } of hosts) {
    endedAt.set(node, stateAt);
    undoOperations(section, told, found.asking(node));
  }
  for (const sha256 of found.programs.keys()) found.programs.set(sha256, await deps.findProgram(deps.store, sha256));
  const kept = await listRecords(deps.store, planKind);
  const before = kept.map(({ value }) => value).filter(({ createdAt }) => createdAt <= plan.createdAt);
  let bytes = 0;
  for (const record of before.toReversed().slice(0, plansLimits.undoPlans)) {
    if (!found.mayHave(record)) continue;
    bytes += record.bytes;
    if (bytes > plansLimits.undoBytes) break;
    await othersTurn();
    const document = await findDocument(deps, record);
    if (document === undefined) continue;
    found.takeTexts(document);
    if (record.id !== plan.id) await takeInterfaces(deps, record, { document, found, endedAt });
  }
  return (node) => found.contentsOf(node);
}

/** Of those that a host was given before this plan: one that was refused, or came later, says nothing of what was there. */
async function takeInterfaces(
  deps: Deps,
  record: PlanRecord,
  {
    document,
    found,
    endedAt,
  }: {
    readonly document: PlanDocument;
    readonly found: FoundContents;
    readonly endedAt: ReadonlyMap<string, string>;
  },
): Promise<void> {
  const wanted = found.wantedInterfaces(document);
  if (wanted.length === 0) return;
  const tasks = await readTasksOf(deps, record);
  for (const { node, operation } of wanted) {
    const task = tasks.get(node);
    if (task?.state === "applied" && task.stateAt <= (endedAt.get(node) ?? "")) {
      found.interfaces.get(`${node} ${operation.interface}`)?.push({ operation, at: task.stateAt });
    }
  }
}

/** What is missing where a backup was restored without its blobs is no way back, and no reason to look no further. */
async function findDocument({ blobs }: Pick<Deps, "blobs">, record: PlanRecord): Promise<PlanDocument | undefined> {
  try {
    return await readDocument(blobs, record.document);
  } catch (error) {
    if (!isFault(error, "plan.bytes_missing")) throw error;
    return undefined;
  }
}

class FoundContents {
  /** By host and path, then by digest. */
  readonly #texts = new Map<string, Map<string, string | undefined>>();
  readonly programs = new Map<string, ProgramFacts | undefined>();
  /** By host and name. */
  readonly interfaces = new Map<string, { readonly operation: NetworkWireguard; readonly at: string }[]>();
  /** By what a host told: a fleet has few tables, and each is worth milliseconds. */
  readonly #tables = new Map<string, FirewallApply | undefined>();
  #missing = 0;

  /** Has nothing, and writes down what it is asked for. */
  asking(node: string): UndoContents {
    return {
      tableOf: () => undefined,
      findText: (path, sha256) => {
        const place = `${node} ${path}`;
        const texts = this.#texts.get(place) ?? new Map<string, string | undefined>();
        this.#texts.set(place, texts.set(sha256, undefined));
        this.#missing += 1;
        return undefined;
      },
      findProgram: (sha256) => void this.programs.set(sha256, undefined),
      interfacesOf: (name) => {
        this.interfaces.set(`${node} ${name}`, []);
        return [];
      },
    };
  }

  contentsOf(node: string): UndoContents {
    return {
      tableOf: (name, state) => this.#tableOf(name, state),
      findText: (path, sha256) => this.#texts.get(`${node} ${path}`)?.get(sha256),
      findProgram: (sha256) => this.programs.get(sha256),
      interfacesOf: (name) => {
        const all = this.interfaces.get(`${node} ${name}`) ?? [];
        return all.toSorted((a, b) => (a.at < b.at ? 1 : -1)).map(({ operation }) => operation);
      },
    };
  }

  #tableOf(name: string, state: object): FirewallApply | undefined {
    const told = stateDigest(hashBytes, name, state);
    if (!this.#tables.has(told)) {
      const read = firewallState.safeParse(state).data;
      this.#tables.set(told, read === undefined ? undefined : findFirewallOf(name, read));
    }
    return this.#tables.get(told);
  }

  mayHave({ kinds }: Pick<PlanRecord, "kinds">): boolean {
    return (
      (this.#missing > 0 && kinds.includes("file.write")) ||
      (this.interfaces.size > 0 && kinds.includes("network.wireguard"))
    );
  }

  takeTexts({ sections }: PlanDocument): void {
    for (const { node, one } of operationsIn(sections)) {
      const texts = one.kind === "file.write" ? this.#texts.get(`${node} ${one.path}`) : undefined;
      if (texts === undefined || one.kind !== "file.write") continue;
      const sha256 = hashBytes(Buffer.from(one.text)).toString("hex");
      if (!texts.has(sha256) || texts.get(sha256) !== undefined) continue;
      texts.set(sha256, one.text);
      this.#missing -= 1;
    }
  }

  wantedInterfaces({ sections }: PlanDocument): { readonly node: string; readonly operation: NetworkWireguard }[] {
    return operationsIn(sections).flatMap(({ node, one }) =>
      one.kind === "network.wireguard" && this.interfaces.has(`${node} ${one.interface}`)
        ? [{ node, operation: one }]
        : [],
    );
  }
}

function operationsIn(sections: readonly PlanSection[]): { readonly node: string; readonly one: Operation }[] {
  return sections.flatMap(({ node, operations }) => operations.map((one) => ({ node, one })));
}

import { type WitnessState, witnessStates } from "@gatehouse/contract";
import { nodeKind, type WitnessedRecord, witnessedKind } from "@gatehouse/contract/records";
import type { AuditWitnessView } from "@gatehouse/contract/routes";
import type { Store, StoredRecord } from "@gatehouse/store";
import { listRecords } from "@gatehouse/store/decide";
import type { HeadLine } from "./head-line.ts";
import type { HeardHosts, ToldHead } from "./hear-hosts.ts";

export interface ListWitnessesDeps {
  readonly store: Pick<Store, "list">;
  readonly line: Pick<HeadLine, "newest" | "isNew">;
  readonly heard: Pick<HeardHosts, "find" | "isAnyRefusing">;
}

export interface WitnessesPage {
  readonly state?: WitnessState | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Every host is looked at, because the summary is about all of them; a page of them is answered. */
export async function listWitnesses({ store, line, heard }: ListWitnessesDeps, page: WitnessesPage) {
  const all = await listHosts({ store, line, heard }, await listRecords(store, witnessedKind));
  const wanted = all.filter(
    ({ node, state }) =>
      (page.state === undefined || state === page.state) && (page.cursor === undefined || node > page.cursor),
  );
  const items = wanted.slice(0, page.limit);
  const newest = line.newest()?.head;
  return {
    items,
    nextCursor: wanted.length > items.length ? (items.at(-1)?.node ?? null) : null,
    head: newest === undefined ? null : { n: newest.n, position: newest.position, at: iso(newest.at) },
    summary: summaryOf(all),
  };
}

export async function listRefusing(deps: ListWitnessesDeps): Promise<readonly AuditWitnessView[]> {
  const records = await listRecords(deps.store, witnessedKind);
  // So it nearly always is, and then no node is read: whoever opens the overview asks for this.
  if (records.length === 0 && !deps.heard.isAnyRefusing()) return [];
  return (await listHosts(deps, records)).filter(({ state }) => state === "refuses").toSorted(byWhatTheyKnow);
}

async function listHosts(
  { store, line, heard }: ListWitnessesDeps,
  records: readonly StoredRecord<WitnessedRecord>[],
): Promise<readonly AuditWitnessView[]> {
  const refusing = new Map(records.map(({ key, value }) => [key.id, value]));
  return (await listRecords(store, nodeKind))
    .filter(({ value }) => value.revokedAt === undefined)
    .map(({ value: { id, name } }) => viewWitness(line, { id, name }, heard.find(id), refusing.get(id)));
}

function summaryOf(all: readonly AuditWitnessView[]) {
  const [agree, behind, refuse, silent] = witnessStates.map((state) => all.filter((one) => one.state === state)) as [
    AuditWitnessView[],
    AuditWitnessView[],
    AuditWitnessView[],
    AuditWitnessView[],
  ];
  const position = agree.reduce((most, one) => Math.max(most, one.position ?? 0), 0);
  return {
    agree: agree.length,
    behind: behind.length,
    refuse: refuse.length,
    silent: silent.length,
    agreed: agree.length === 0 ? null : { position, hosts: agree.filter((one) => one.position === position).length },
    first: refuse.toSorted(byWhatTheyKnow)[0] ?? null,
  };
}

/** Who holds the lowest position that the log no longer has knows best where it begins to differ. */
function byWhatTheyKnow(one: AuditWitnessView, other: AuditWitnessView): number {
  const unknown = Number.MAX_SAFE_INTEGER;
  return (one.position ?? unknown) - (other.position ?? unknown) || (one.node < other.node ? -1 : 1);
}

function viewWitness(
  line: Pick<HeadLine, "isNew">,
  { id, name }: { readonly id: string; readonly name: string },
  told: ToldHead | undefined,
  record: WitnessedRecord | undefined,
): AuditWitnessView {
  const held = told?.held ?? record?.held;
  const trouble = told?.disbelief ?? record;
  const state = stateOf(line, told, trouble !== undefined);
  const since = record?.since ?? told?.toldAt;
  return {
    node: id,
    name,
    state,
    n: held?.n ?? null,
    position: held?.position ?? null,
    link: held?.link ?? null,
    at: held === undefined ? null : iso(held.at),
    toldAt: told === undefined ? null : iso(told.toldAt),
    code: trouble?.code ?? null,
    since: trouble === undefined || since === undefined ? null : iso(since),
    detail: trouble?.reason ?? null,
  };
}

function stateOf(line: Pick<HeadLine, "isNew">, told: ToldHead | undefined, isRefusing: boolean): WitnessState {
  if (isRefusing) return "refuses";
  if (told?.held === undefined) return "silent";
  return line.isNew(told.held) ? "agrees" : "behind";
}

/** A time that a host says may be none that a date has. */
function iso(time: number): string {
  return new Date(Math.min(time, 8_640_000_000_000_000)).toISOString();
}

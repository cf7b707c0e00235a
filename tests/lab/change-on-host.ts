import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseTable } from "../../apps/agent/src/operations/read-firewall-state.ts";
import { decodeRecords, findHead, headLength, type LinkedRecord } from "../../apps/agent/src/safety/journal-format.ts";
import type { JournalKind } from "../../apps/agent/src/safety/journal-record.ts";
import type { JsonObject } from "@gatehouse/base";
import { type FirewallApply, renderFirewall } from "@gatehouse/plan";
import { until } from "../support/until.ts";
import type { ManagedHost } from "./managed-host.ts";

/** Each look at a host starts programs on it. */
export const lookMs = 100;

/** What a host is like around a change, read on the host itself and not asked of the agent. */
const kept = "var/lib/gatehouse";

/** Every record of the journal, as it stands on the disk. One that is being written is left out, and so is a new file that has no head yet. */
export async function journalOn(host: ManagedHost): Promise<readonly LinkedRecord[]> {
  const directory = host.place(`${kept}/journal`);
  const names = existsSync(directory) ? readdirSync(directory).filter((name) => /^[0-9]/.test(name)) : [];
  return names.toSorted().flatMap((name, index) => {
    const bytes = readFileSync(join(directory, name));
    if (index === names.length - 1 && bytes.byteLength < headLength) return [];
    const link = findHead(bytes);
    const decoded = link && decodeRecords(bytes, headLength, { link, seq: undefined });
    if (decoded === undefined || decoded.flaw === "damaged") throw new Error(`the journal of ${host.name} is damaged`);
    return decoded.records;
  });
}

/** Waits until the newest record is of this kind, and gives it. Where the last record before is told, a change that ended since comes to no other. */
export async function untilJournal(host: ManagedHost, kind: JournalKind, after = 0): Promise<LinkedRecord> {
  let last: LinkedRecord | undefined;
  const isThere = async () => {
    last = (await journalOn(host)).at(-1);
    if (last === undefined || last.seq <= after) return false;
    if (last.kind === "ended" && kind !== "ended" && after > 0) {
      throw new Error(`before ${kind} the change on ${host.name} ended: ${JSON.stringify(last.data)}`);
    }
    return last.kind === kind;
  };
  await until(`the journal of ${host.name} says ${kind}`, isThere, lookMs);
  return last as LinkedRecord;
}

/** Waits until the newest change has been at this step: it may be further, or at its end. */
export async function untilReached(host: ManagedHost, kind: JournalKind, after: number): Promise<void> {
  const isThere = async () =>
    (await journalOn(host)).some((one) => one.seq > after && [kind, "ended"].includes(one.kind));
  await until(`the journal of ${host.name} has ${kind}`, isThere, 1);
}

/** How the newest change ended, as `outcome code`, once it has. */
export async function untilEnded(host: ManagedHost, after = 0): Promise<string> {
  const record = await untilJournal(host, "ended", after);
  if (record.kind !== "ended") throw new Error("unreachable");
  return `${record.data.outcome} ${record.data.code}`.trimEnd();
}

/** The number of the newest record. */
export async function lastRecordOn(host: ManagedHost): Promise<number> {
  return (await journalOn(host)).at(-1)?.seq ?? 0;
}

/** A table as nft lists it, without numbers of the kernel; null where there is none. */
export async function tableOn(host: ManagedHost, table: string): Promise<JsonObject | null> {
  const { code, stdout } = await host.run("nft", "-j", "-s", "list", "table", "inet", table);
  return code === 0 ? parseTable(stdout) : null;
}

/** What nft of the host makes of an operation, in a network of its own. */
export async function tableMadeFrom(host: ManagedHost, operation: FirewallApply): Promise<JsonObject> {
  const file = "/opt/lab/wanted.nft";
  await host.write(file, renderFirewall(operation));
  const lines = `nft -f ${file} && nft -j -s list table inet ${operation.table}`;
  return parseTable(await host.shell(`unshare --net sh -euc '${lines}'`));
}

/** What a change leaves behind that has not ended well: units, timers, copies. */
export async function leftOn(host: ManagedHost): Promise<readonly string[]> {
  const units = await host.shell("systemctl list-units 'gatehouse-deadman*' --all --plain --no-legend --no-pager");
  const copies = await host.shell(`[ ! -d /${kept}/snapshots ] || ls -A /${kept}/snapshots`);
  return [...units.split("\n"), ...copies.split("\n")].map((line) => line.trim()).filter(Boolean);
}

/** Nothing is on its way any more. The end is written before the last of it is put away. */
export async function untilNothingIsLeft(host: ManagedHost): Promise<void> {
  let left: readonly string[] = [];
  try {
    const isGone = async () => (left = await leftOn(host)).length === 0;
    await until(`nothing of a change is left on ${host.name}`, isGone, lookMs);
  } catch (error) {
    throw new Error(`on ${host.name} there is still: ${left.join("; ")}`, { cause: error });
  }
}

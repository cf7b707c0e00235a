import { existsSync } from "node:fs";
import type { JsonObject } from "@gatehouse/base";
import { isFault } from "@gatehouse/contract/faults";
import type { ChangeDeps } from "../safety/change.ts";
import { isEnd, type JournalNote } from "../safety/journal-note.ts";

/** What the journal says of changes, for whoever may read it. */
export type ChangeStatus =
  | { readonly t: "told"; readonly open: OpenChange | undefined; readonly last: LastChange | undefined }
  | { readonly t: "untold"; readonly why: string };

interface OpenChange {
  readonly task: string;
  readonly state: string;
  /** When it was accepted, and in how many seconds it is taken back if nobody proves that it holds; null before the timer runs. */
  readonly since: string;
  readonly deadlineSeconds: number | null;
}

interface LastChange {
  readonly task: string;
  readonly outcome: string;
  readonly code: string;
  readonly detail: string;
  readonly at: string;
}

export interface ChangeStatusDeps {
  readonly isRoot: boolean;
  readonly journal: string;
  readonly load: () => Promise<Pick<ChangeDeps, "openJournal" | "findUptime">>;
}

/** Reads, and makes no journal where there is none. */
export async function readChangeStatus({ isRoot, journal: directory, load }: ChangeStatusDeps): Promise<ChangeStatus> {
  if (!isRoot) return { t: "untold", why: "only root of this host can see its changes" };
  if (!existsSync(directory)) return { t: "told", open: undefined, last: undefined };
  const deps = await load();
  try {
    const journal = await deps.openJournal();
    const slot = await journal.look();
    const notes = await journal.recent(0);
    const last = notes.findLast(isEnd);
    // The oldest that is remembered of it: its acceptance, unless it has been tried a thousand times.
    const begun = notes.find(({ task }) => task === slot?.task) as JournalNote;
    return {
      t: "told",
      open: slot && { task: slot.task, state: slot.state, since: iso(begun.at), ...deadlineOf(deps, slot.armed) },
      last: last && { ...shortEnd(last.end), task: last.task, at: iso(last.at) },
    };
  } catch (error) {
    if (!isFault(error)) throw error;
    return { t: "untold", why: `${error.code}: ${error.detail}` };
  }
}

function shortEnd({ outcome, code, detail }: { outcome: string; code: string; detail: string }) {
  return { outcome, code, detail };
}

function deadlineOf(
  { findUptime }: Pick<ChangeDeps, "findUptime">,
  armed: { readonly deadlineMs: number; readonly boot: string } | undefined,
): Pick<OpenChange, "deadlineSeconds"> {
  const now = findUptime();
  if (armed === undefined || armed.boot !== now?.boot) return { deadlineSeconds: null };
  return { deadlineSeconds: Math.ceil((armed.deadlineMs - now.ms) / 1_000) };
}

export function describeChange(change: ChangeStatus): string[] {
  if (change.t === "untold") return [`Changes cannot be told: ${change.why}.`];
  const { open, last } = change;
  const seconds = open?.deadlineSeconds ?? null;
  const until = seconds === null ? "" : `, taken back in ${seconds} seconds unless it is proved`;
  return [
    ...(open === undefined ? [] : [`Open change: ${open.task}, ${open.state}, since ${open.since}${until}`]),
    ...(last === undefined ? [] : [`Last change: ${last.task}, ${last.outcome} at ${last.at}${describeWhy(last)}`]),
  ];
}

function describeWhy({ code, detail }: LastChange): string {
  return code === "" ? "" : `, ${code}: ${detail}`;
}

export function changeJson(change: ChangeStatus): JsonObject {
  if (change.t === "untold") return { untold: change.why };
  return {
    open: change.open === undefined ? null : { ...change.open },
    last: change.last === undefined ? null : { ...change.last },
  };
}

function iso(time: number): string {
  return new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

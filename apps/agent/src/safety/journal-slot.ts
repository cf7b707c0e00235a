import type { ToldLines } from "@gatehouse/contract";
import type { JournalDataOf, JournalKind, JournalRecord } from "./journal-record.ts";

/** Where a change stands. What is written within a step leaves it where it is. */
export type SlotState = Exclude<JournalKind, "applied-op" | "probe" | "ended">;

/** The one change that has begun and not ended. */
export interface JournalSlot {
  readonly task: string;
  readonly state: SlotState;
  readonly accepted: JournalDataOf<"accepted">;
  readonly copies: JournalDataOf<"snapshotted">["copies"];
  /** When the change is taken back, and in which run of the machine that time counts. */
  readonly armed: { readonly deadlineMs: number; readonly boot: string } | undefined;
  /** How many operations were made. One more may have been begun. */
  readonly operations: number;
  /** What those of them told that only read. */
  readonly told: readonly ToldLines[];
  /** The newest probe; an earlier one proves nothing. */
  readonly probe: string | undefined;
  /** How often restoring was begun, and why at first. */
  readonly restores: number;
  readonly why: JournalDataOf<"restoring"> | undefined;
}

/** A proof that comes in the last second is not taken: the dead-man may be about to begin. */
export const proofMarginMs = 1_000;

/** What may be written next. A record that is not in its row is refused: no step is left out, and none is done twice. */
export const journalMoves: Readonly<Record<SlotState, readonly JournalKind[]>> = {
  accepted: ["snapshotted", "ended"],
  snapshotted: ["armed", "ended"],
  armed: ["applying", "restoring", "ended"],
  applying: ["applied-op", "checking", "restoring"],
  checking: ["probe", "confirmed", "restoring"],
  confirmed: ["ended"],
  restoring: ["restoring", "ended"],
};

/** The ends that each state can have: a host that changed something is never said to have failed before. */
const endsOf: Readonly<Record<SlotState, readonly JournalDataOf<"ended">["outcome"][]>> = {
  accepted: ["failed_before_change"],
  snapshotted: ["failed_before_change"],
  armed: ["failed_before_change"],
  applying: [],
  checking: [],
  confirmed: ["applied"],
  restoring: ["rolled_back", "failed_after_change"],
};

/** What is done with a change that is found open. */
export type SlotDuty =
  /** Nothing was touched: the timer is stopped, the change ends. */
  | "end before change"
  /** Everything is put back, by the one program that does it. */
  | "restore"
  | "go on checking"
  /** It holds: it is kept for the next start of the host, and what was prepared for taking it back goes. */
  | "finish";

/** When the helper has ended in the middle. What was being applied is never gone on with. */
export const afterRestart: Readonly<Record<SlotState, SlotDuty>> = {
  accepted: "end before change",
  snapshotted: "end before change",
  armed: "restore",
  applying: "restore",
  checking: "go on checking",
  confirmed: "finish",
  restoring: "restore",
};

/** When the host has started anew, before it has a network. */
export const atBoot: Readonly<Record<SlotState, SlotDuty>> = {
  accepted: "end before change",
  snapshotted: "end before change",
  armed: "end before change",
  applying: "restore",
  checking: "restore",
  confirmed: "finish",
  restoring: "restore",
};

/** Why a record may not follow what is open; undefined when it may. */
export function findMoveFlaw(
  slot: JournalSlot | undefined,
  { kind, task, data }: Pick<JournalRecord, "kind" | "task" | "data">,
): string | undefined {
  if (slot === undefined) return kind === "accepted" ? undefined : `expected "accepted", found "${kind}"`;
  if (task !== slot.task) return `expected ${slot.task}, found ${task}`;
  if (!journalMoves[slot.state].includes(kind)) {
    return `expected one of ${journalMoves[slot.state].join(", ")} after "${slot.state}", found "${kind}"`;
  }
  if (kind === "applied-op" && (data as JournalDataOf<"applied-op">).operation !== slot.operations) {
    return `expected operation ${slot.operations}, found another`;
  }
  if (kind !== "ended") return undefined;
  const { outcome, approvalId, planDigest, index } = data as JournalDataOf<"ended">;
  const { accepted } = slot;
  const isSame = approvalId === accepted.approvalId && planDigest === accepted.planDigest && index === accepted.index;
  if (!isSame) return "expected the end of the change that was accepted, found another";
  return endsOf[slot.state].includes(outcome) ? undefined : `"${slot.state}" does not end as ${outcome}`;
}

/** What is open after a record that may follow. */
export function takeRecord(slot: JournalSlot | undefined, record: JournalRecord): JournalSlot | undefined {
  if (record.kind === "accepted") {
    const { task, data: accepted } = record;
    const begun = {
      operations: 0,
      told: [],
      restores: 0,
      copies: [],
      armed: undefined,
      probe: undefined,
      why: undefined,
    };
    return { task, state: "accepted", accepted, ...begun };
  }
  if (slot === undefined || record.kind === "ended") return undefined;
  return { ...slot, ...changeOf(slot, record) };
}

function changeOf(
  slot: JournalSlot,
  record: Exclude<JournalRecord, { kind: "accepted" | "ended" }>,
): Partial<JournalSlot> {
  if (record.kind === "snapshotted") return { state: "snapshotted", copies: record.data.copies };
  if (record.kind === "armed") {
    return { state: "armed", armed: { deadlineMs: record.data.deadlineMs, boot: record.boot } };
  }
  if (record.kind === "applied-op") {
    const { operation, told } = record.data;
    const more = told === undefined ? [] : [{ operation, ...told }];
    return { operations: slot.operations + 1, told: [...slot.told, ...more] };
  }
  if (record.kind === "probe") return { probe: record.data.nonce };
  if (record.kind === "restoring") {
    return { state: "restoring", restores: slot.restores + 1, why: slot.why ?? record.data };
  }
  return { state: record.kind };
}

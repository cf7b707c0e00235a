import { hostEnds, toldLines, toldOfSection } from "@gatehouse/contract";
import * as z from "zod";

const hex = (bytes: number) =>
  z
    .string()
    .length(bytes * 2)
    .regex(/^[0-9a-f]*$/);
const count = z.int().nonnegative();
/** Which section of which plan, and the approval that was spent for it. */
const whose = { approvalId: hex(16), planDigest: hex(32), index: count };
const why = { code: z.string().max(64), detail: z.string().max(1_000) };

/**
 * What is written at each step of a change, before the host leaves that step. Closed: a record of a later version is damage to
 * this one, because nobody here can say what it means.
 */
export const journalData = {
  /** The approval is spent. The section is what has to be undone if anything fails. */
  accepted: z.strictObject({
    ...whose,
    section: z.record(z.string(), z.json()),
    rollbackWindow: count,
    confirmation: z.enum(["path", "approver"]),
    persons: z.array(z.string().max(64)).max(64),
  }),
  /** What was there is kept, and each copy by its digest. */
  snapshotted: z.strictObject({
    copies: z.array(z.strictObject({ subject: z.string().max(600), sha256: hex(32).nullable() })).max(64),
  }),
  /** The timer that takes the change back runs. By the host's uptime: a wall clock can be set. */
  armed: z.strictObject({ deadlineMs: count }),
  applying: z.strictObject({}),
  /** With what was read, for an operation that only reads: it is told with the end, however that comes. */
  "applied-op": z.strictObject({ operation: count, told: toldLines.omit({ operation: true }).exactOptional() }),
  checking: z.strictObject({}),
  /** What the next hello has to carry, so that it is known to come after the change. */
  probe: z.strictObject({ nonce: hex(32) }),
  confirmed: z.strictObject({}),
  restoring: z.strictObject({ ...why }),
  /** Says all that is told of the change, so that its outcome can be signed from this record alone. */
  ended: z.strictObject({
    ...whose,
    outcome: z.enum(hostEnds),
    ...why,
    /** Parts of the host that somebody else had changed, and that were replaced when the change was taken back. */
    foreign: z.array(z.string().max(600)).max(64),
    /** Absent where no operation only reads. */
    told: toldOfSection.exactOptional(),
  }),
} as const satisfies Record<string, z.ZodObject>;

export type JournalKind = keyof typeof journalData;
export type JournalDataOf<Kind extends JournalKind> = z.output<(typeof journalData)[Kind]>;

export const journalKinds = Object.keys(journalData) as JournalKind[];

/** One record, as it is hashed and written. */
export type JournalRecord = {
  readonly [Kind in JournalKind]: {
    readonly v: 1;
    readonly seq: number;
    readonly at: number;
    /** Which run of the machine, and how far into it: the only times that decide anything within a change. */
    readonly boot: string;
    readonly uptimeMs: number;
    readonly task: string;
    readonly kind: Kind;
    readonly data: JournalDataOf<Kind>;
  };
}[JournalKind];

/** The form of a task's id; a directory may be named so. */
export const taskName = z.string().regex(/^task_[0-9a-hjkmnp-tv-z]{26}$/);

const envelope = z.strictObject({
  v: z.literal(1),
  seq: count.min(1),
  at: count,
  boot: z.string().max(64),
  uptimeMs: count,
  task: taskName,
  kind: z.enum(journalKinds),
  data: z.record(z.string(), z.json()),
});

/** Undefined for anything that this version would not write. */
export function findJournalRecord(value: unknown): JournalRecord | undefined {
  const record = envelope.safeParse(value).data;
  const data = record === undefined ? undefined : journalData[record.kind].safeParse(record.data);
  return data?.success === true ? ({ ...record, data: data.data } as JournalRecord) : undefined;
}

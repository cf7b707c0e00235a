import type { FrameOf } from "@gatehouse/channel";
import type { PlanSection } from "@gatehouse/plan";
import type { EndNote } from "../safety/journal-note.ts";
import type { KeptArtifact } from "./kept-artifact.ts";

/** A change as it is announced: its parts by their digests. */
export type AnnouncedTask = Omit<FrameOf<"task">, "t">;

/** Which part of a change, by its digest. */
export type TaskPart = AnnouncedTask["parts"]["header"];

/** One that has not arrived; without `from` nothing of it has. */
export type MissingPart = TaskPart & { readonly from?: number };

/** A change whose parts have all arrived. Nothing of it is believed yet. */
export interface WholeTask extends Omit<AnnouncedTask, "parts"> {
  /** Byte form of the plan's header. */
  readonly header: Uint8Array;
  /** The digests of all sections, 32 bytes each. */
  readonly digests: Uint8Array;
  /** Byte form of this host's own section. */
  readonly section: Uint8Array;
  /** A container of signed statements, or an order that the server signed. */
  readonly approvals: Uint8Array;
  /** Their bytes are those that were named. */
  readonly artifacts: readonly KeptArtifact[];
}

/** A change that this host would make: approved, allowed, and made from what the host is like now. */
export interface JudgedTask {
  readonly task: string;
  readonly planDigest: string;
  readonly index: number;
  readonly section: PlanSection;
  /** By which it is spent, in hexadecimal, and when it ends. */
  readonly approvalId: string;
  readonly notAfter: number;
  /** Seconds. */
  readonly rollbackWindow: number;
  readonly confirmation: "path" | "approver";
  /** Who signed; empty where the server ordered. */
  readonly persons: readonly string[];
  /** Those that its operations name. Whoever takes the change closes them when they are no longer needed. */
  readonly artifacts: readonly KeptArtifact[];
}

/** A change that this host took before: it is open, or has ended so. */
export interface TakenChange {
  readonly ended: EndNote | undefined;
}

/** Takes changes that were judged. */
export interface TaskTaker {
  /**
   * What has become of a change that was taken before; undefined where there is none and one can be taken. Throws `journal.unsound`,
   * and `slot.busy` while another change is open.
   */
  find(task: string): Promise<TakenChange | undefined>;
  /** The approval is spent and the change accepted when this returns; it is made afterwards. Throws `apply.absent`, with nothing spent. */
  begin(judged: JudgedTask): Promise<void>;
}

/** Judges changes, by what the host knows itself. Each throws the first refusal. */
export interface TaskJudge {
  /** Whether it makes sense to fetch the parts at all: steps 1 to 5 of the order of verification; 1 to 4 for one that was taken before. */
  admit(task: AnnouncedTask): Promise<void>;
  /** The whole order, from its first step on. */
  judge(task: WholeTask): Promise<JudgedTask>;
}

/** Where the network part brings changes and their parts. */
export interface TaskDesk {
  /**
   * Names the parts that have not arrived. When none is missing the change is judged, and taken or the refusal thrown. One that was
   * taken before is not judged again.
   */
  submit(task: AnnouncedTask): Promise<{ readonly missing: readonly MissingPart[]; readonly taken?: TakenChange }>;
  /** A piece of a part that a submitted change has named. Pieces of a part come in order. */
  put(piece: { readonly sha256: string; readonly offset: number; readonly bytes: Uint8Array }): Promise<void>;
}

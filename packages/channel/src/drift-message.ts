import { byteForm, readByteForm } from "@gatehouse/base";
import { sha256Hex } from "@gatehouse/contract";
import { encodeText, frame, readFrame, readNumber, readText, u64 } from "@gatehouse/keys/frame";
import * as z from "zod";
import { channelLimits } from "./limits.ts";

/** `differs`: it is there and another one. `missing`: it is gone. `unread`: nobody can say now, which is never the same as unchanged. */
export const driftStates = ["differs", "missing", "unread"] as const;
export type DriftState = (typeof driftStates)[number];

const count = z.int().nonnegative();

/** A part of a host that is not, or cannot be said to be, what the change that was confirmed last has left there. */
export const driftPart = z
  .strictObject({
    subject: z.string().min(1).max(600),
    /** The task that was confirmed, and the digest of its plan. */
    task: z.string().regex(/^task_[0-9a-hjkmnp-tv-z]{26}$/),
    plan: sha256Hex,
    /** By the host's clock. */
    confirmedAt: count,
    /** The digest of its state then; null where it was another one before it could be hashed. */
    expected: sha256Hex.nullable(),
    state: z.enum(driftStates),
    /** The digest of its state now. */
    found: sha256Hex.nullable(),
    /** Why it could not be read; empty where it could. */
    why: z.string().max(200),
  })
  .refine(
    ({ state, found, why }) => (state === "differs") === (found !== null) && (state === "unread") === (why !== ""),
  );
export type DriftPart = z.output<typeof driftPart>;

const driftTold = z.strictObject({
  /** How many parts are hashed again and again. */
  watched: count.max(1_000_000),
  /** How many more differ than are named. */
  more: count.max(1_000_000),
  parts: z
    .array(driftPart)
    .max(channelLimits.driftParts)
    .refine((parts) => new Set(parts.map(({ subject }) => subject)).size === parts.length),
});
export type DriftTold = z.output<typeof driftTold>;

/** What a host's helper found when it hashed again what was confirmed there, signed with the host key. */
export interface SignedDrift {
  readonly nodeId: string;
  readonly hostKey: Uint8Array;
  /** Grows with every message of one host: an older one is not taken for news. */
  readonly number: number;
  /** By the host's own clock. */
  readonly at: number;
  readonly drift: DriftTold;
}

const driftDomain = "gatehouse-drift-v1";

export function driftFrame({ nodeId, hostKey, number, at, drift }: SignedDrift): Uint8Array {
  return frame(driftDomain, encodeText(nodeId), hostKey, u64(number), u64(at), byteForm(drift));
}

export function readDrift(framed: Uint8Array): SignedDrift | undefined {
  const fields = readFrame(framed, driftDomain, ["any", 32, 8, 8, "any"]);
  if (fields === undefined) return undefined;
  const nodeId = readText(fields[0]);
  const [number, at] = [fields[2], fields[3]].map(readNumber);
  const drift = driftTold.safeParse(readByteForm(fields[4]));
  if (nodeId === undefined || number === undefined || at === undefined || !drift.success) return undefined;
  return { nodeId, hostKey: fields[1], number, at, drift: drift.data };
}

import { parseStrictJson } from "@gatehouse/base";
import { hostLogLimits, isLogSource, metricLimits, taskSteps, witnessCodes } from "@gatehouse/contract";
import { fault, type FaultCode } from "@gatehouse/contract/faults";
import * as z from "zod";
import { channelLimits } from "./limits.ts";
import { headRowLength } from "./witness-head.ts";

/** Who sends a frame. */
export type End = "agent" | "server";

interface FrameSpec {
  readonly from: readonly End[];
  /** Bytes of the whole message at most. */
  readonly most: number;
  readonly fields: z.ZodObject;
}

const count = z.int().nonnegative();
const base64url = z.string().regex(/^[A-Za-z0-9_-]*$/);
const line = z.string().max(256);
/** 32 random bytes: whoever asks can tell the answer to this question from every other. */
const requestId = z.string().regex(/^[A-Za-z0-9_-]{43}$/);
const taskId = z.string().regex(/^task_[0-9a-hjkmnp-tv-z]{26}$/);
/** Numbers the pulls of one connection. */
const pullRequest = count.min(1).max(2 ** 32 - 1);
/** What the agent asks for in its turn, by its digest. */
const taskPart = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/), size: count });

/** Where a host goes on reading its logs: its own words, which come back to it. */
const checkpoint = z.string().max(hostLogLimits.checkpointChars);

/** What an outbox carries. */
export const outKinds = ["outcome", "step", "state", "log", "recording", "event"] as const;

/**
 * Every type of frame after the welcome, with who may send it. A type that is not here closes the connection; one whose
 * name begins with `~` may be ignored.
 */
export const controlFrames = {
  beat: {
    from: ["agent"],
    most: 1024,
    fields: z.strictObject({ t: z.literal("beat"), seq: count, at: count, values: z.array(z.number()).max(16) }),
  },
  "beat-ack": {
    from: ["server"],
    most: 1024,
    fields: z.strictObject({ t: z.literal("beat-ack"), seq: count }),
  },
  facts: {
    from: ["agent"],
    most: channelLimits.factsBytes,
    fields: z.strictObject({
      t: z.literal("facts"),
      /** The message that the helper has signed. */
      signed: base64url,
      /** The ceiling as it stands on the host; its digest is in the signed message. */
      ceiling: base64url,
      addresses: z.array(z.string().max(64)).max(64),
      units: z.array(z.strictObject({ name: z.string().max(128), state: z.string().max(64) })).max(16),
    }),
  },
  out: {
    from: ["agent"],
    most: channelLimits.frameBytes,
    fields: z.strictObject({ t: z.literal("out"), seq: count.min(1), kind: z.enum(outKinds), body: z.json() }),
  },
  "out-ack": {
    from: ["server"],
    most: 128,
    fields: z.strictObject({ t: z.literal("out-ack"), seq: count }),
  },
  /** What is a part of the host like now? Sent only to agents that name it among their features. */
  "want-state": {
    from: ["server"],
    most: 40 * 1024,
    fields: z.strictObject({
      t: z.literal("want-state"),
      request: requestId,
      subjects: z.array(z.string().max(600)).min(1).max(channelLimits.stateSubjects),
    }),
  },
  /** A piece of the answer that the helper has signed; pieces come in order. */
  state: {
    from: ["agent"],
    most: 48 * 1024,
    fields: z.strictObject({
      t: z.literal("state"),
      request: requestId,
      piece: count,
      pieces: count.min(1).max(Math.ceil(channelLimits.stateBytes / channelLimits.statePieceBytes)),
      bytes: base64url,
    }),
  },
  "state-refused": {
    from: ["agent"],
    most: 2048,
    fields: z.strictObject({
      t: z.literal("state-refused"),
      request: requestId,
      code: line,
      detail: z.string().max(1_000),
    }),
  },
  /** A change for this host. The helper judges it; whatever the server says, the answer is the helper's. */
  task: {
    from: ["server"],
    most: 16 * 1024,
    fields: z.strictObject({
      t: z.literal("task"),
      task: taskId,
      planDigest: z.string().regex(/^[0-9a-f]{64}$/),
      index: count,
      parts: z.strictObject({
        header: taskPart,
        digests: taskPart,
        section: taskPart,
        approvals: taskPart,
        artifacts: z.array(taskPart).max(64),
      }),
    }),
  },
  /** The agent asks for bytes of a part that a task has named; the answer is a binary piece, or `pull-end`. */
  pull: {
    from: ["agent"],
    most: 256,
    fields: z.strictObject({
      t: z.literal("pull"),
      request: pullRequest,
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      offset: count,
      length: count.min(1).max(channelLimits.pullBytes),
    }),
  },
  "pull-end": {
    from: ["server"],
    most: 256,
    fields: z.strictObject({ t: z.literal("pull-end"), request: pullRequest, reason: z.string().max(128) }),
  },
  "task-refused": {
    from: ["agent"],
    most: 2048,
    fields: z.strictObject({ t: z.literal("task-refused"), task: taskId, code: line, detail: z.string().max(1_000) }),
  },
  /** The helper has begun the change, or had: its end comes through the outbox, signed by the host. */
  "task-taken": {
    from: ["agent"],
    most: 128,
    fields: z.strictObject({ t: z.literal("task-taken"), task: taskId }),
  },
  /** How far a change is, while it is made. Shown, never kept: a server that does not know it may ignore it. */
  "~step": {
    from: ["agent"],
    most: 256,
    fields: z.strictObject({ t: z.literal("~step"), task: taskId, state: z.enum(taskSteps), at: count }),
  },
  /** What the host has measured, and its time now; a minute comes again until a beat behind it is acknowledged. */
  "~minutes": {
    from: ["agent"],
    most: 16 * 1024,
    fields: z.strictObject({
      t: z.literal("~minutes"),
      at: count,
      minutes: z
        .array(z.strictObject({ at: count, values: z.array(z.number().nullable()).max(32) }))
        .min(1)
        .max(metricLimits.sentMinutes),
    }),
  },
  /**
   * The server takes lines of logs, from where it has them on. Once on a connection: what it says again is passed over. Sent only to
   * agents that name `logs` among their features.
   */
  "want-logs": {
    from: ["server"],
    most: 32 * 1024,
    fields: z.strictObject({
      t: z.literal("want-logs"),
      /** As the last message that was kept said it; null before the first. */
      checkpoint: checkpoint.nullable(),
      linesPerSecond: count.min(hostLogLimits.linesPerSecond.least).max(hostLogLimits.linesPerSecond.most),
      behindSeconds: count.min(hostLogLimits.behindSeconds.least).max(hostLogLimits.behindSeconds.most),
    }),
  },
  /** One at a time: the next is sent when this one is acknowledged. */
  logs: {
    from: ["agent"],
    most: channelLimits.frameBytes,
    fields: z.strictObject({
      t: z.literal("logs"),
      seq: count.min(1),
      /** The host's time now. */
      at: count,
      /** None where root lets nothing be sent any more: then only the checkpoint says something. */
      sources: z.array(z.string().refine(isLogSource)).max(hostLogLimits.sources),
      lines: z
        .array(
          z.strictObject({
            /** Which of the sources. */
            s: count,
            at: count,
            level: z.int().min(0).max(7).nullable(),
            text: z.string().max(hostLogLimits.lineChars),
          }),
        )
        .max(hostLogLimits.sentLines),
      /** Left out on the host, because they were more than it may send, or gone before they were read (then nobody counted). */
      dropped: z
        .array(
          z.strictObject({ s: count, lines: count.max(hostLogLimits.droppedLines).nullable(), from: count, to: count }),
        )
        .max(hostLogLimits.sources),
      checkpoint,
    }),
  },
  "logs-ack": {
    from: ["server"],
    most: 256,
    fields: z.strictObject({
      t: z.literal("logs-ack"),
      seq: count.min(1),
      /** Not before so long. With `kept` false the lines are to be sent again then. */
      pauseMs: count.max(hostLogLimits.pauseMs),
      kept: z.boolean(),
    }),
  },
  /** The newest head of the audit log, signed. Sent only to agents that name `witness` among their features. */
  head: {
    from: ["server"],
    most: 1024,
    fields: z.strictObject({ t: z.literal("head"), signed: base64url.max(512) }),
  },
  /** The host has missed some: the rows from a number on are wanted, so that it can see for itself that one goes on from the other. */
  "want-heads": {
    from: ["agent"],
    most: 128,
    fields: z.strictObject({ t: z.literal("want-heads"), from: count.min(1) }),
  },
  /** The rows, and the last of them signed. Without a row: the server keeps none so old, and that is its newest head. */
  heads: {
    from: ["server"],
    most: channelLimits.frameBytes,
    fields: z.strictObject({
      t: z.literal("heads"),
      from: count.min(1),
      rows: base64url.max((channelLimits.headRows * headRowLength * 4) / 3),
      signed: base64url.max(512),
    }),
  },
  /** What the host holds of the audit log, and why it does not take what it was shown. */
  "~witness": {
    from: ["agent"],
    most: 512,
    fields: z.strictObject({
      t: z.literal("~witness"),
      held: z
        .strictObject({ n: count.min(1), position: count, link: z.string().regex(/^[0-9a-f]{64}$/), at: count })
        .nullable(),
      code: z.enum(witnessCodes).nullable(),
    }),
  },
  /** Reserved: wakes a terminal session on demand (contract 1). Sent only to agents that name it among their features. */
  wake: {
    from: ["server"],
    most: 256,
    fields: z.strictObject({ t: z.literal("wake"), session: base64url.max(64), grant: base64url.max(64) }),
  },
  "channel-key": {
    from: ["agent"],
    most: 1024,
    fields: z.strictObject({ t: z.literal("channel-key"), signed: base64url }),
  },
  bye: {
    from: ["agent", "server"],
    most: 256,
    fields: z.strictObject({
      t: z.literal("bye"),
      code: line,
      retryAfter: count.max(channelLimits.pauseSeconds).exactOptional(),
    }),
  },
} as const satisfies Record<string, FrameSpec>;

export type FrameType = keyof typeof controlFrames;
export type ControlFrame = { [Type in FrameType]: z.output<(typeof controlFrames)[Type]["fields"]> }[FrameType];
export type FrameOf<Type extends FrameType> = Extract<ControlFrame, { t: Type }>;

/** Reads a frame that the given end has sent; undefined for one that may be ignored. Throws the refusal that closes the connection. */
export function readControlFrame(text: string, from: End): ControlFrame | undefined {
  // A character is at least a byte: what is longer in characters is not even read.
  if (text.length > channelLimits.frameBytes)
    throw refused("frame.too_large", "a message", `${text.length} characters`);
  const read = parseStrictJson(text, frameJson);
  if (!read.ok) throw refused("frame.malformed", "strict JSON", `${read.reason} at ${read.at}`);
  const type = findType(read.value);
  if (type === undefined) throw refused("frame.malformed", "an object with a type `t`", "something else");
  if (!Object.hasOwn(controlFrames, type)) {
    if (type.startsWith("~")) return undefined;
    throw refused("frame.unknown", "a type of this version", shown(type));
  }
  const spec: FrameSpec = controlFrames[type as FrameType];
  if (!spec.from.includes(from)) throw refused("frame.unknown", `a type that the ${from} sends`, shown(type));
  const bytes = new TextEncoder().encode(text).byteLength;
  if (bytes > spec.most) throw refused("frame.too_large", `${type} of at most ${spec.most} bytes`, `${bytes} bytes`);
  const parsed = spec.fields.safeParse(read.value);
  if (!parsed.success) throw refused("frame.malformed", `the fields of ${type}`, describe(parsed.error));
  return parsed.data as ControlFrame;
}

export function writeControlFrame(frame: ControlFrame): string {
  return JSON.stringify(frame);
}

const frameJson = { depth: 16, keys: 1_000, items: 4_000 };

function findType(value: unknown): string | undefined {
  const type = typeof value === "object" && value !== null && !Array.isArray(value) && (value as { t?: unknown }).t;
  return typeof type === "string" ? type : undefined;
}

function refused(code: FaultCode, expected: string, found: string): Error {
  return fault(code, `expected ${expected}, found ${found}`);
}

/** The other end's words go into logs: only what can be a name of ours is shown. */
function shown(text: string): string {
  return text.replaceAll(/[^\w.~-]/g, "?").slice(0, 40);
}

function describe(error: z.ZodError): string {
  const issue = error.issues[0];
  const path = (issue?.path ?? []).map((part) => shown(String(part))).join("/");
  return `/${path}: ${issue?.code ?? "not as expected"}`;
}

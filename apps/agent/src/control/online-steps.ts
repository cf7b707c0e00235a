import { channelLimits, type FrameOf, readControlFrame, writeControlFrame } from "@gatehouse/channel";
import { fault, faults } from "@gatehouse/contract/faults";
import type { Effect, Online, Pulls, Surroundings } from "./control-state.ts";
import { takeTask, takeWantState } from "./asked-steps.ts";
import { sendMinutes, takeBeatAck } from "./minute-steps.ts";
import { askForMore, takeOutAck } from "./out-steps.ts";
import { takePiece, takePullEnd } from "./pull-steps.ts";

export interface Taken {
  readonly online: Online;
  readonly effects?: readonly Effect[];
  /** The server had its time to take the key that it was offered: a hello shows whether it did. */
  readonly isKeyDue?: boolean;
  /** The server goes. It is not signed, so that it can be no more than a pause. */
  readonly bye?: { readonly code: string; readonly detail: string; readonly retryAfter?: number };
}

/** What a message of the server changes. What it asks of the host is for the helper to judge. */
export function takeFrame(around: Surroundings, before: Online, data: string | Uint8Array): Taken {
  const online = counted(around, before);
  if (typeof data !== "string") return withPulls(online, takePiece(online.pulls, data));
  const frame = readControlFrame(data, "server");
  // Unknown, and said to be of no weight.
  if (frame === undefined) return { online };
  if (frame.t === "bye") return { online, bye: goodbye(frame) };
  if (frame.t === "beat-ack") {
    if (frame.seq > online.sent) {
      throw fault("frame.malformed", `expected an acknowledgement up to beat ${online.sent}, found ${frame.seq}`);
    }
    const acked = Math.max(online.acked, frame.seq);
    const [minutes, effects] = takeBeatAck(online.minutes, acked);
    return { online: { ...online, acked, minutes }, effects, isKeyDue: isKeyDue(online.offeredAfter, acked) };
  }
  if (frame.t === "out-ack") {
    const [out, effects] = takeOutAck(around, online.out, frame.seq);
    return { online: { ...online, out }, effects };
  }
  if (frame.t === "want-state") return takeWantState(online, frame);
  if (frame.t === "task") return takeTask(online, frame);
  if (frame.t === "want-logs") return { online, effects: [{ t: "follow-logs", frame }] };
  if (frame.t === "logs-ack") return takeLogsAck(online, frame);
  if (frame.t === "head" || frame.t === "heads") return { online, effects: [{ t: "follow-witness", frame }] };
  if (frame.t === "pull-end") return withPulls(online, takePullEnd(online.pulls, frame));
  throw fault("frame.unknown", `this agent has not offered to take ${frame.t}`);
}

function withPulls(online: Online, [pulls, effects]: readonly [Pulls, readonly Effect[]]): Taken {
  return { online: { ...online, pulls }, effects };
}

/** The server cannot have lines that it was not sent. */
function takeLogsAck(online: Online, frame: FrameOf<"logs-ack">): Taken {
  if (frame.seq > online.logs) {
    throw fault("frame.malformed", `expected an acknowledgement up to lines ${online.logs}, found ${frame.seq}`);
  }
  return { online, effects: [{ t: "follow-logs", frame }] };
}

/** Two beats: whatever the first was sent behind, a whole interval lies between. */
function isKeyDue(offeredAfter: number | undefined, acked: number): boolean {
  return offeredAfter !== undefined && acked >= offeredAfter + 2;
}

/** The code is the server's word: it is repeated when it is a name of the table. */
function goodbye({ code, retryAfter }: FrameOf<"bye">): NonNullable<Taken["bye"]> {
  return {
    code: Object.hasOwn(faults, code) ? code : "bye",
    detail: "the server has said that it goes",
    ...(retryAfter === undefined ? {} : { retryAfter }),
  };
}

/** The next beat; or the end, when the server has said nothing to the last ones. */
export function beatOrCut(around: Surroundings, online: Online): readonly [Online, readonly Effect[]] {
  if (online.sent - online.acked >= channelLimits.missedBeats) {
    throw fault("channel.silent", `the last ${channelLimits.missedBeats} beats were not acknowledged`);
  }
  const seq = online.sent + 1;
  // Also for a disk that did not answer when it was asked last.
  const [out, asks] = online.out.reading === "no" ? askForMore(around, online.out) : [online.out, []];
  const [minutes, measured] = sendMinutes(around, online.minutes, seq);
  return [
    { ...online, sent: seq, out, minutes },
    [
      ...measured,
      { t: "send", data: writeControlFrame({ t: "beat", seq, at: around.now(), values: [] }) },
      { t: "timer", name: "beat", ms: online.beatMs },
      { t: "look-at-ceiling" },
      { t: "look-at-outbox" },
      ...asks,
    ],
  ];
}

function counted(around: Surroundings, online: Online): Online {
  const now = around.monotonic();
  const isSame = now - online.second.from < 1_000;
  const second = isSame ? { ...online.second, messages: online.second.messages + 1 } : { from: now, messages: 1 };
  if (second.messages > channelLimits.framesPerSecond) {
    throw fault("frame.rate", `more than ${channelLimits.framesPerSecond} messages in a second`);
  }
  return { ...online, second };
}

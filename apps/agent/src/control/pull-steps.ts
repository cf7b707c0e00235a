import { channelLimits, type FrameOf, pieceHeadLength, readPiece, writeControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import type { Effect, OpenPull, Pulls, WantedPiece } from "./control-state.ts";

type PullStep = readonly [Pulls, readonly Effect[]];

export const noPulls: Pulls = { last: 0, open: [] };

/** So many answers may be owed to one connection. One is waited for; the others are those that came too late to be of use. */
export const mostOpenPulls = 4;

/** Asks the server for bytes of a part. */
export function beginPull({ last, open }: Pulls, { sha256, offset, length }: WantedPiece): PullStep {
  if (open.length >= mostOpenPulls) {
    return [{ last, open }, [{ t: "pulled", answer: { ended: "it owes the answers to earlier ones" } }]];
  }
  const request = last + 1;
  const data = writeControlFrame({ t: "pull", request, sha256, offset, length });
  return [{ last: request, open: [...open, { request, offset, length, isWanted: true }] }, [{ t: "send", data }]];
}

/**
 * Takes a piece that answers a pull to the byte. A shorter one is refused as well: by a byte each a server could hold a change open for
 * days.
 */
export function takePiece(pulls: Pulls, message: Uint8Array): PullStep {
  const most = pieceHeadLength + channelLimits.pullBytes;
  if (message.byteLength > most) {
    throw fault("frame.too_large", `expected at most ${most} bytes, found ${message.byteLength}`);
  }
  const piece = readPiece(message);
  if (piece === undefined) throw fault("frame.malformed", "expected a piece that was asked for, found other bytes");
  const { request, offset, bytes } = piece;
  const pull = getOpen(pulls, request);
  if (offset !== pull.offset || bytes.byteLength !== pull.length) {
    const [expected, found] = [`${pull.length} bytes from ${pull.offset}`, `${bytes.byteLength} from ${offset}`];
    throw fault("frame.malformed", `expected ${expected}, found ${found}`);
  }
  return [without(pulls, pull), pull.isWanted ? [{ t: "pulled", answer: { bytes } }] : []];
}

/** The server does not have it, or does not give it. */
export function takePullEnd(pulls: Pulls, { request, reason }: FrameOf<"pull-end">): PullStep {
  const pull = getOpen(pulls, request);
  return [without(pulls, pull), pull.isWanted ? [{ t: "pulled", answer: { ended: shown(reason) } }] : []];
}

/** Nobody waits any more. What an honest server has sent meanwhile is no offence. */
export function forgetPulls({ last, open }: Pulls): Pulls {
  return { last, open: open.map((pull) => ({ ...pull, isWanted: false })) };
}

function getOpen({ open }: Pulls, request: number): OpenPull {
  const pull = open.find((each) => each.request === request);
  if (pull === undefined) throw fault("frame.malformed", `expected the answer to a pull, found one to ${request}`);
  return pull;
}

function without({ last, open }: Pulls, answered: OpenPull): Pulls {
  return { last, open: open.filter((each) => each !== answered) };
}

/** The server's words go into logs: only what can be a name or a plain word is repeated. */
function shown(reason: string): string {
  return reason.replaceAll(/[^\w .:-]/g, "?");
}

import { channelLimits, type FrameOf, writeControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import type { OutRecord } from "../outbox/outbox-format.ts";
import type { Effect, OutWindow, Surroundings } from "./control-state.ts";

/** Well below what closes a connection: the server's second may see two of this one's, and beats and facts besides. */
export const outsPerSecond = Math.floor(channelLimits.framesPerSecond * 0.45);

/** So long nothing more is asked for when the connection has enough to send. */
export const crowdedMs = 1_000;

type OutStep = readonly [OutWindow, readonly Effect[]];

/** The server has everything up to `acked`; what stands behind it is sent. */
export function beginOut(around: Surroundings, acked: number): OutStep {
  const second = { from: around.monotonic(), messages: 0 };
  return askForMore(around, { sent: acked, underWay: [], reading: "no", second });
}

/** Asks the outbox for as much as may be under way, unless it is asked already. */
export function askForMore(around: Surroundings, before: OutWindow): OutStep {
  if (before.reading === "paused") return [before, []];
  if (before.reading !== "no") return [{ ...before, reading: "again" }, []];
  const room = channelLimits.unacknowledged - before.underWay.length;
  if (room <= 0) return [before, []];
  const now = around.monotonic();
  const isSame = now - before.second.from < 1_000;
  const out = isSame ? before : { ...before, second: { from: now, messages: 0 } };
  const limit = Math.min(room, outsPerSecond - out.second.messages);
  if (limit > 0) return [{ ...out, reading: "yes" }, [{ t: "read-outbox", after: out.sent, limit }]];
  const ms = Math.ceil(out.second.from + 1_000 - now);
  return [{ ...out, reading: "paused" }, [{ t: "timer", name: "outbox", ms }]];
}

/** A pause is over. */
export function goOn(around: Surroundings, out: OutWindow): OutStep {
  return askForMore(around, { ...out, reading: "no" });
}

/** What the outbox gave is sent, in order; then it is asked again, until it has no more. */
export function sendHeld(around: Surroundings, before: OutWindow, records: readonly OutRecord[]): OutStep {
  const isNews = before.reading === "again" || records.length > 0;
  const sends = records.map((record): Effect => ({ t: "send", data: outText(record) }));
  const seqs = records.map(({ seq }) => seq);
  const out: OutWindow = {
    sent: seqs.at(-1) ?? before.sent,
    underWay: [...before.underWay, ...seqs],
    reading: "no",
    second: { ...before.second, messages: before.second.messages + records.length },
  };
  if (!isNews) return [out, sends];
  const [next, effects] = askForMore(around, out);
  return [next, [...sends, ...effects]];
}

/** Everything up to `seq` is with the server. It cannot have what it was not sent. */
export function takeOutAck(around: Surroundings, before: OutWindow, seq: number): OutStep {
  if (seq > before.sent) {
    throw fault("frame.malformed", `expected an acknowledgement up to message ${before.sent}, found ${seq}`);
  }
  const underWay = before.underWay.filter((each) => each > seq);
  if (underWay.length === before.underWay.length) return [before, []];
  const [out, effects] = askForMore(around, { ...before, underWay });
  return [out, [{ t: "acknowledged", seq }, ...effects]];
}

function outText({ seq, kind, body }: OutRecord): string {
  return writeControlFrame({ t: "out", seq, kind, body: JSON.parse(body) as FrameOf<"out">["body"] });
}

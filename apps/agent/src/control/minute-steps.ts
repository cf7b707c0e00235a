import { writeControlFrame } from "@gatehouse/channel";
import type { Effect, MinuteWindow, Surroundings } from "./control-state.ts";

type MinuteStep = readonly [MinuteWindow, readonly Effect[]];

/** On a new connection everything that is held is sent: what an earlier one carried may never have arrived. */
export const noMinutes: MinuteWindow = { sent: 0, underWay: [] };

/** Sends what a beat goes behind, one message at most. A connection keeps the order, so that who has the beat has the minutes. */
export function sendMinutes(
  around: Pick<Surroundings, "now" | "minutes">,
  before: MinuteWindow,
  beat: number,
): MinuteStep {
  const held = around.minutes(before.sent);
  const sent = held.at(-1)?.number;
  if (sent === undefined) return [before, []];
  const minutes = held.map(({ at, values }) => ({ at, values: [...values] }));
  const data = writeControlFrame({ t: "~minutes", at: around.now(), minutes });
  return [{ sent, underWay: [...before.underWay, { beat, upTo: sent }] }, [{ t: "send", data }]];
}

/** The server has every beat up to `acked`, and so the minutes that went before them. */
export function takeBeatAck(before: MinuteWindow, acked: number): MinuteStep {
  const upTo = before.underWay.findLast(({ beat }) => beat <= acked)?.upTo;
  if (upTo === undefined) return [before, []];
  const underWay = before.underWay.filter(({ beat }) => beat > acked);
  return [{ ...before, underWay }, [{ t: "minutes-taken", upTo }]];
}

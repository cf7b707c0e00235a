import { type FrameOf, writeControlFrame } from "@gatehouse/channel";
import type { Asked, Effect, Online } from "./control-state.ts";

interface AskedStep {
  readonly online: Online;
  readonly effects: readonly Effect[];
}

const crowded = {
  code: "read.rate",
  detail: "expected one at a time, found another one that is not answered",
} as const;

/** The server wants to know what parts of the host are like. One question at a time: a second one is refused and not kept. */
export function takeWantState(online: Online, frame: FrameOf<"want-state">): AskedStep {
  const refusal = writeControlFrame({ t: "state-refused", request: frame.request, ...crowded });
  return takeAsked(online, "state", { t: "read-state", frame }, refusal);
}

/** The server wants a change. The helper judges; here is only one at a time. */
export function takeTask(online: Online, frame: FrameOf<"task">): AskedStep {
  const refusal = writeControlFrame({ t: "task-refused", task: frame.task, ...crowded });
  return takeAsked(online, "task", { t: "submit-task", frame }, refusal);
}

function takeAsked(online: Online, what: Asked, ask: Effect, refusal: string): AskedStep {
  if (online.asking.includes(what)) return { online, effects: [{ t: "send", data: refusal }] };
  return { online: { ...online, asking: [...online.asking, what] }, effects: [ask] };
}

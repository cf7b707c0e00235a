import { manualClock, openTurns } from "@gatehouse/base";
import { channelLimits, decodeBase64url, type FrameOf, readControlFrame } from "@gatehouse/channel";
import { expect } from "vitest";
import { openTaskCarrier, type TaskCarrier } from "../src/control/carry-task.ts";
import type { WantedPiece } from "../src/control/control-state.ts";
import { openHelperMinutes } from "../src/helper/sliding-minute.ts";
import type { AskHelper } from "../src/local/ask-helper.ts";
import { openInbox } from "../src/tasks/open-inbox.ts";
import { openTaskDesk } from "../src/tasks/open-task-desk.ts";
import type { AnnouncedTask, TaskJudge } from "../src/tasks/task.ts";
import { makeArtifactGround } from "./artifact-ground.ts";
import { partOf, sampleChange, willingJudge } from "./fake-judge.ts";
import { elfOf } from "../../../tests/support/elf-program.ts";
import { manualTimers } from "./manual-timers.ts";
import { noChanges } from "./no-changes.ts";

/** Two pieces and a byte. */
export const change = sampleChange(2 * channelLimits.pullBytes + 1);
export const frame: FrameOf<"task"> = { t: "task", ...change.task };

function openDesk(judge: TaskJudge) {
  const inbox = openInbox({ timers: manualTimers(), most: channelLimits.taskBytes });
  const minutes = openHelperMinutes(manualClock());
  const { artifacts } = makeArtifactGround();
  return openTaskDesk({
    judge,
    changes: noChanges,
    inbox,
    artifacts,
    inTurn: openTurns(),
    minutes,
    log: () => undefined,
  });
}

/** A helper without its socket, which can end and be started anew; whatever is asked is kept. */
function fakeHelper(judge: TaskJudge) {
  const asked: string[] = [];
  const around: { before?: (verb: string) => Promise<void> } = {};
  let desk = openDesk(judge);
  const ask: AskHelper = async (verb, fields = {}) => {
    asked.push(verb);
    await around.before?.(verb);
    if (verb === "task.submit") return { missing: [...(await desk.submit(fields as AnnouncedTask)).missing] };
    const { sha256, offset, bytes } = fields as { sha256: string; offset: number; bytes: string };
    await desk.put({ sha256, offset, bytes: decodeBase64url(bytes) ?? new Uint8Array() });
    return {};
  };
  return { ask, asked, around, startAnew: () => void (desk = openDesk(judge)) };
}

export type Serve = (piece: WantedPiece, carrier: TaskCarrier) => void;

/** An artifact of four pieces, and the change that has it. */
export const program = elfOf("x64", 3 * channelLimits.pullBytes + 7);
export const withArtifact: FrameOf<"task"> = { ...frame, parts: { ...frame.parts, artifacts: [partOf(program)] } };
const held = new Map([...change.held, [partOf(program).sha256, program]]);

/** The server has the bytes of the change, and gives them. */
export const honest: Serve = ({ sha256, offset, length }, carrier) => {
  const bytes = held.get(sha256)?.subarray(offset, offset + length) ?? new Uint8Array();
  carrier.answered({ bytes });
};
export const silent: Serve = () => undefined;

export function openCarrier(serve: Serve = honest, judge: TaskJudge = willingJudge()) {
  const helper = fakeHelper(judge);
  const clock = manualClock();
  const timers = manualTimers();
  const pulled: WantedPiece[] = [];
  const next = { serve };
  const told: string[] = [];
  const carrier: TaskCarrier = openTaskCarrier({
    ask: (...words) => helper.ask(...words),
    clock,
    timers,
    pull: (piece) => {
      pulled.push(piece);
      next.serve(piece, carrier);
    },
    begun: () => void told.push("begun"),
    ended: (signed) => void told.push(signed),
  });
  return { carrier, helper, clock, timers, pulled, next, told };
}

export const refusalIn = (texts: readonly string[]) => {
  expect(texts).toHaveLength(1);
  return readControlFrame(texts[0] as string, "agent");
};
export const refusedAs = (code: string) => ({ t: "task-refused", task: frame.task, code });

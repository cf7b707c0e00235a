import { type JsonObject, manualClock, openTurns } from "@gatehouse/base";
import { channelLimits, decodeBase64url, type FrameOf, readControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { noChanges } from "../../test/no-changes.ts";
import { elfOf } from "../../test/made-artifact.ts";
import { partOf, refusingJudge, sampleChange, willingJudge } from "../../test/fake-judge.ts";
import { makeArtifactGround } from "../../test/artifact-ground.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { openHelperMinutes } from "../helper/sliding-minute.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { openInbox } from "../tasks/open-inbox.ts";
import { openTaskDesk } from "../tasks/open-task-desk.ts";
import type { AnnouncedTask, TaskJudge } from "../tasks/task.ts";
import { carryLimits, carryMs, openTaskCarrier, type TaskCarrier } from "./carry-task.ts";
import type { WantedPiece } from "./control-state.ts";

/** Two pieces and a byte. */
const change = sampleChange(2 * channelLimits.pullBytes + 1);
const frame: FrameOf<"task"> = { t: "task", ...change.task };

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

type Serve = (piece: WantedPiece, carrier: TaskCarrier) => void;

/** An artifact of four pieces, and the change that has it. */
const program = elfOf("x64", 3 * channelLimits.pullBytes + 7);
const withArtifact: FrameOf<"task"> = { ...frame, parts: { ...frame.parts, artifacts: [partOf(program)] } };
const held = new Map([...change.held, [partOf(program).sha256, program]]);

/** The server has the bytes of the change, and gives them. */
const honest: Serve = ({ sha256, offset, length }, carrier) => {
  const bytes = held.get(sha256)?.subarray(offset, offset + length) ?? new Uint8Array();
  carrier.answered({ bytes });
};
const silent: Serve = () => undefined;

function open(serve: Serve = honest, judge: TaskJudge = willingJudge()) {
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

const refusalIn = (texts: readonly string[]) => {
  expect(texts).toHaveLength(1);
  return readControlFrame(texts[0] as string, "agent");
};
const refusedAs = (code: string) => ({ t: "task-refused", task: frame.task, code });

test("the parts that the helper misses are pulled piece by piece, each is put before the next is asked for, and the helper judges", async () => {
  const judge = willingJudge();
  const order: string[] = [];
  const opened = open((piece, carrier) => {
    order.push("pull");
    honest(piece, carrier);
  }, judge);
  opened.helper.around.before = async (verb) => void order.push(verb);
  expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("apply.absent"));
  expect(judge.judged).toMatchObject([change.bytes]);
  const pieces = Array.from({ length: 6 }, () => ["pull", "blob.put"]).flat();
  expect(order).toEqual(["task.submit", ...pieces, "task.submit"]);
  const { sha256 } = frame.parts.section;
  expect(opened.pulled.filter((each) => each.sha256 === sha256)).toEqual([
    { sha256, offset: 0, length: channelLimits.pullBytes },
    { sha256, offset: channelLimits.pullBytes, length: channelLimits.pullBytes },
    { sha256, offset: 2 * channelLimits.pullBytes, length: 1 },
  ]);
  expect(opened.timers.running()).toEqual([]);
});

test("where no change is taken nothing is pulled", async () => {
  const { carrier, pulled } = open(honest, refusingJudge);
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("ceiling.off"));
  expect(pulled).toEqual([]);
});

test("other bytes than those that were named are refused by the helper, and nothing more is pulled", async () => {
  const { carrier, pulled, helper } = open(({ length }, self) => self.answered({ bytes: new Uint8Array(length) }));
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("blob.digest"));
  expect(pulled).toHaveLength(1);
  expect(helper.asked).toEqual(["task.submit", "blob.put"]);
});

test("a pull that the server ends ends the change, with the server's reason", async () => {
  const { carrier } = open((_, self) => self.answered({ ended: "gone" }));
  const detail = "the server has ended a pull: gone";
  expect(refusalIn(await carrier.carry(frame))).toEqual({ ...refusedAs("artifact.missing"), detail });
});

test("a server that is silent holds a change for a minute; what comes then changes nothing, and the next one is carried", async () => {
  const { carrier, pulled, timers, next } = open(silent);
  const carried = carrier.carry(frame);
  await expect.poll(() => pulled.length).toBe(1);
  expect(timers.end(carryLimits.pieceMs)).toBe(1);
  expect(refusalIn(await carried)).toMatchObject(refusedAs("artifact.missing"));
  carrier.answered({ bytes: new Uint8Array(1) });
  carrier.answered({ ended: "late" });
  next.serve = honest;
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("apply.absent"));
});

test("the two minutes are for all parts together: none is asked for after them", async () => {
  const { carrier, pulled, timers, helper } = open();
  helper.around.before = async (verb) => {
    if (verb === "blob.put") timers.end(carryLimits.smallMs);
  };
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("artifact.missing"));
  expect(pulled).toHaveLength(1);
});

test("a change whose parts are all here is judged by the helper, however long that takes", async () => {
  const { carrier, timers, helper } = open();
  let submits = 0;
  helper.around.before = async (verb) => {
    if (verb === "task.submit") submits += 1;
    if (submits === 2) timers.end(carryLimits.smallMs);
  };
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("apply.absent"));
});

test("when the connection is gone the helper is asked nothing more, and the next change waits for what is under way", async () => {
  const { carrier, timers, helper, pulled } = open();
  const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  helper.around.before = async (verb) => {
    if (verb !== "blob.put") return;
    begun.resolve();
    await answer.promise;
  };
  const first = carrier.carry(frame);
  await begun.promise;
  carrier.forget();
  expect(timers.running()).toEqual([]);
  const second = carrier.carry(frame);
  expect(helper.asked).toEqual(["task.submit", "blob.put"]);
  answer.resolve();
  expect(refusalIn(await first)).toMatchObject(refusedAs("artifact.missing"));
  expect(refusalIn(await second)).toMatchObject(refusedAs("apply.absent"));
  expect(pulled[1], "from its first byte").toMatchObject({ offset: 0 });
});

test("a change that is forgotten before its turn is not submitted", async () => {
  const { carrier, helper, next } = open(silent);
  carrier.forget();
  const first = carrier.carry(frame);
  carrier.forget();
  next.serve = honest;
  expect(refusalIn(await first)).toMatchObject(refusedAs("artifact.missing"));
  expect(helper.asked).toEqual([]);
});

test("a helper that has ended between two pieces misses everything again, and gets it", async () => {
  const judge = willingJudge();
  const { carrier, helper, pulled } = open(honest, judge);
  let puts = 0;
  helper.around.before = async (verb) => {
    if (verb === "blob.put") puts += 1;
    if (verb === "blob.put" && puts === 3) helper.startAnew();
  };
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("apply.absent"));
  expect(judge.judged).toHaveLength(1);
  expect(pulled).toHaveLength(3 + 6);
});

test("a helper that forgets again and again is brought the parts twice", async () => {
  const { carrier, helper } = open();
  helper.around.before = async (verb) => {
    if (verb === "task.submit") helper.startAnew();
  };
  const refusal = refusalIn(await carrier.carry(frame));
  expect(refusal).toMatchObject({ ...refusedAs("artifact.missing"), detail: expect.stringContaining("twice") });
  expect(helper.asked.filter((verb) => verb === "task.submit")).toHaveLength(3);
});

test("a helper that is gone is told as one that is not there, and so is one that has failed or answers otherwise: it may have begun", async () => {
  const { carrier, helper, told } = open();
  const refusal = async (act: () => Promise<void>) => {
    helper.around.before = act;
    return refusalIn(await carrier.carry(frame));
  };
  const unavailable = refusedAs("local.unavailable");
  expect(await refusal(() => Promise.reject(fault("local.unavailable", "ENOENT")))).toMatchObject(unavailable);
  expect(told).toEqual(["begun"]);
  expect(await refusal(() => Promise.reject(new Error("its own words")))).not.toMatchObject({
    detail: "its own words",
  });
  const part = { sha256: "a".repeat(64), size: 1 };
  for (const odd of [
    {},
    { missing: [] },
    { missing: [{ ...part, size: 0 }] },
    { missing: [{ ...part, sha256: "a" }] },
    { missing: [{ ...part, more: 1 }] },
    { missing: [{ ...part, from: 0 }] },
    { missing: [{ ...part, from: 1 }] },
    { missing: 1 },
    { missing: [part], taken: true },
    { taken: false },
    { taken: true, more: 1 },
    { taken: true, outcome: "" },
    { taken: true, outcome: "not base64url!" },
    { taken: true, outcome: "a".repeat(60_001) },
  ]) {
    helper.ask = async () => odd;
    expect(refusalIn(await carrier.carry(frame))).toMatchObject(unavailable);
  }
});

/** A helper that takes a change once it has all of its parts. */
function takingHelper(opened: ReturnType<typeof open>, answer: JsonObject = { taken: true }) {
  const { ask } = opened.helper;
  let submits = 0;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit") submits += 1;
    return verb === "task.submit" && submits > 1 ? (opened.helper.asked.push(verb), answer) : ask(verb, fields);
  };
}
const taken = { t: "task-taken", task: frame.task };

test("a change that the helper takes is told as taken, and its journal is followed", async () => {
  const opened = open();
  takingHelper(opened);
  expect(refusalIn(await opened.carrier.carry(frame))).toEqual(taken);
  expect(opened.told).toEqual(["begun"]);
  expect(opened.timers.running()).toEqual([]);
});

test("a change that comes again is answered at once, and what it had ended with is kept for the server", async () => {
  const opened = open();
  opened.helper.ask = async () => ({ taken: true, outcome: "c2lnbmVk" });
  expect(refusalIn(await opened.carrier.carry(frame))).toEqual(taken);
  expect(opened.told).toEqual(["c2lnbmVk", "begun"]);
  expect(opened.pulled).toEqual([]);
});

test("a helper that ends while it judges is asked once more whether it has begun", async () => {
  const opened = open();
  takingHelper(opened);
  const { ask } = opened.helper;
  let submits = 0;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit") submits += 1;
    if (verb === "task.submit" && submits === 2) throw fault("local.unavailable", "it was closed before the answer");
    return ask(verb, fields);
  };
  expect(refusalIn(await opened.carrier.carry(frame))).toEqual(taken);
  expect(submits).toBe(3);
  expect(opened.told).toEqual(["begun"]);
});

/** A helper that is gone when it has all parts, and says this when it is asked once more. */
function endingHelper(opened: ReturnType<typeof open>, again: () => never) {
  const { ask } = opened.helper;
  let submits = 0;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit") submits += 1;
    if (submits === 2) throw fault("local.unavailable", "it was closed before the answer");
    return submits > 2 ? again() : ask(verb, fields);
  };
  return () => submits;
}

test.each(["local.unavailable", "local.limit", "journal.locked", "journal.unsound", "ceiling.off"] as const)(
  "when it says %s then, the change is told as one that nobody could ask, and the journal is followed all the same",
  async (code) => {
    const opened = open();
    const submits = endingHelper(opened, () => {
      throw fault(code, "so");
    });
    expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("local.unavailable"));
    expect(submits()).toBe(3);
    expect(opened.told).toEqual(["begun"]);
  },
);

test("when it judges the change then, it had not begun: that is the answer", async () => {
  const opened = open();
  endingHelper(opened, () => {
    throw fault("state.stale", "so");
  });
  expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("state.stale"));
  expect(opened.told).toEqual([]);
});

test("a helper that ends while it judges is asked once more also when the time for the parts is over by then", async () => {
  const opened = open();
  const submits = endingHelper(opened, () => {
    opened.carrier.forget();
    throw new Error("its own words");
  });
  const { ask } = opened.helper;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit" && submits() === 1) opened.carrier.forget();
    return ask(verb, fields);
  };
  expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("local.unavailable"));
  expect(submits()).toBe(3);
  expect(opened.told).toEqual(["begun"]);
});

test("a change that is taken when its connection is gone is followed", async () => {
  const opened = open();
  takingHelper(opened);
  const { ask } = opened.helper;
  let submits = 0;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit") submits += 1;
    if (verb === "task.submit" && submits === 2) opened.carrier.forget();
    return ask(verb, fields);
  };
  await opened.carrier.carry(frame);
  expect(opened.told).toEqual(["begun"]);
});

test("an artifact is brought behind the other parts, and each piece has its own time", async () => {
  const judge = willingJudge();
  const opened = open(honest, judge);
  const running: number[][] = [];
  opened.next.serve = (piece, carrier) => {
    running.push(opened.timers.running());
    honest(piece, carrier);
  };
  expect(refusalIn(await opened.carrier.carry(withArtifact))).toMatchObject(refusedAs("apply.absent"));
  expect(judge.judged[0]?.artifacts).toMatchObject([partOf(program)]);
  const own = opened.pulled.filter(({ sha256 }) => sha256 === partOf(program).sha256);
  expect(own.map(({ offset }) => offset / channelLimits.pullBytes)).toEqual([0, 1, 2, 3]);
  expect(opened.pulled.slice(-4)).toEqual(own);
  const whole = carryMs([partOf(program)]);
  expect(running).toEqual(Array.from({ length: 10 }, () => [whole, carryLimits.pieceMs]));
  expect(opened.timers.running()).toEqual([]);
});

test("a slow transfer that moves is not cut: the largest artifact has hours, and what has none as long as ever", () => {
  const most = { size: 512 * 1024 * 1024 };
  expect(carryMs([])).toBe(120_000);
  expect(carryMs([most])).toBe(120_000 + 16_384_000);
  // Within the day for which its files are kept.
  expect(carryMs([most, most])).toBeLessThan(24 * 3_600_000);
});

test("a server that gives a piece now and then holds a change for no longer than the whole may take", async () => {
  const { carrier, timers, pulled, next } = open();
  next.serve = (piece, self) => {
    if (pulled.length === 8) timers.end(carryMs([partOf(program)]));
    honest(piece, self);
  };
  const refusal = refusalIn(await carrier.carry(withArtifact));
  expect(refusal).toMatchObject({ ...refusedAs("artifact.missing"), detail: expect.stringContaining("all parts") });
  expect(pulled).toHaveLength(8);
});

test("a connection that ends in the middle of an artifact goes on where it was; the small parts come again", async () => {
  const judge = willingJudge();
  const { carrier, pulled, next } = open(honest, judge);
  next.serve = (piece, self) => {
    if (pulled.length === 9) self.forget();
    else honest(piece, self);
  };
  expect(refusalIn(await carrier.carry(withArtifact))).toMatchObject(refusedAs("artifact.missing"));
  next.serve = honest;
  expect(refusalIn(await carrier.carry(withArtifact))).toMatchObject(refusedAs("apply.absent"));
  expect(judge.judged[0]?.artifacts).toMatchObject([partOf(program)]);
  const own = pulled.filter(({ sha256 }) => sha256 === partOf(program).sha256);
  expect(own.map(({ offset }) => offset / channelLimits.pullBytes)).toEqual([0, 1, 2, 2, 3]);
});

test("a helper that has ended in the middle of an artifact gets it from its first byte", async () => {
  const judge = willingJudge();
  const { carrier, helper, pulled } = open(honest, judge);
  let puts = 0;
  helper.around.before = async (verb) => {
    if (verb === "blob.put") puts += 1;
    if (verb === "blob.put" && puts === 9) helper.startAnew();
  };
  expect(refusalIn(await carrier.carry(withArtifact))).toMatchObject(refusedAs("apply.absent"));
  expect(judge.judged[0]?.artifacts).toMatchObject([partOf(program)]);
  const own = pulled.filter(({ sha256 }) => sha256 === partOf(program).sha256);
  expect(own.map(({ offset }) => offset / channelLimits.pullBytes)).toEqual([0, 1, 2, 0, 1, 2, 3]);
});

test("other bytes than the artifact's are refused by the helper, and it is not judged", async () => {
  const judge = willingJudge();
  const { carrier, next } = open(honest, judge);
  next.serve = (piece, self) => {
    if (piece.sha256 !== partOf(program).sha256) honest(piece, self);
    else self.answered({ bytes: new Uint8Array(piece.length) });
  };
  expect(refusalIn(await carrier.carry(withArtifact))).toMatchObject(refusedAs("blob.digest"));
  expect(judge.judged).toEqual([]);
});

test("a fast server is asked no more often in a second than it counts, and the rest in the next ones", async () => {
  const { carrier, helper, clock, timers, pulled, next } = open();
  const size = channelLimits.pullBytes * (2 * carryLimits.pullsPerSecond + 1);
  const large = { sha256: "a".repeat(64), size };
  helper.ask = async (verb) => (verb === "task.submit" ? { missing: [large] } : {});
  const piece = new Uint8Array(channelLimits.pullBytes);
  next.serve = (_, self) => self.answered({ bytes: piece });
  const carried = carrier.carry(frame);
  for (const full of [1, 2]) {
    await expect.poll(() => timers.running()).toContain(1_000);
    expect(pulled).toHaveLength(full * carryLimits.pullsPerSecond);
    clock.advance(1_000);
    timers.end(1_000);
  }
  await expect.poll(() => pulled.length).toBeGreaterThan(2 * carryLimits.pullsPerSecond);
  carrier.forget();
  await carried;
});

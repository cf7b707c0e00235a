import type { JsonObject } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { change, frame, honest, openCarrier, refusalIn, refusedAs, silent } from "../../test/carrier-bench.ts";
import { refusingJudge, willingJudge } from "../../test/fake-judge.ts";
import { carryLimits } from "./carry-task.ts";

test("the parts that the helper misses are pulled piece by piece, each is put before the next is asked for, and the helper judges", async () => {
  const judge = willingJudge();
  const order: string[] = [];
  const opened = openCarrier((piece, carrier) => {
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
  const { carrier, pulled } = openCarrier(honest, refusingJudge);
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("ceiling.off"));
  expect(pulled).toEqual([]);
});

test("other bytes than those that were named are refused by the helper, and nothing more is pulled", async () => {
  const { carrier, pulled, helper } = openCarrier(({ length }, self) =>
    self.answered({ bytes: new Uint8Array(length) }),
  );
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("blob.digest"));
  expect(pulled).toHaveLength(1);
  expect(helper.asked).toEqual(["task.submit", "blob.put"]);
});

test("a pull that the server ends ends the change, with the server's reason", async () => {
  const { carrier } = openCarrier((_, self) => self.answered({ ended: "gone" }));
  const detail = "the server has ended a pull: gone";
  expect(refusalIn(await carrier.carry(frame))).toEqual({ ...refusedAs("artifact.missing"), detail });
});

test("a server that is silent holds a change for a minute; what comes then changes nothing, and the next one is carried", async () => {
  const { carrier, pulled, timers, next } = openCarrier(silent);
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
  const { carrier, pulled, timers, helper } = openCarrier();
  helper.around.before = async (verb) => {
    if (verb === "blob.put") timers.end(carryLimits.smallMs);
  };
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("artifact.missing"));
  expect(pulled).toHaveLength(1);
});

test("a change whose parts are all here is judged by the helper, however long that takes", async () => {
  const { carrier, timers, helper } = openCarrier();
  let submits = 0;
  helper.around.before = async (verb) => {
    if (verb === "task.submit") submits += 1;
    if (submits === 2) timers.end(carryLimits.smallMs);
  };
  expect(refusalIn(await carrier.carry(frame))).toMatchObject(refusedAs("apply.absent"));
});

test("when the connection is gone the helper is asked nothing more, and the next change waits for what is under way", async () => {
  const { carrier, timers, helper, pulled } = openCarrier();
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
  const { carrier, helper, next } = openCarrier(silent);
  carrier.forget();
  const first = carrier.carry(frame);
  carrier.forget();
  next.serve = honest;
  expect(refusalIn(await first)).toMatchObject(refusedAs("artifact.missing"));
  expect(helper.asked).toEqual([]);
});

test("a helper that has ended between two pieces misses everything again, and gets it", async () => {
  const judge = willingJudge();
  const { carrier, helper, pulled } = openCarrier(honest, judge);
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
  const { carrier, helper } = openCarrier();
  helper.around.before = async (verb) => {
    if (verb === "task.submit") helper.startAnew();
  };
  const refusal = refusalIn(await carrier.carry(frame));
  expect(refusal).toMatchObject({ ...refusedAs("artifact.missing"), detail: expect.stringContaining("twice") });
  expect(helper.asked.filter((verb) => verb === "task.submit")).toHaveLength(3);
});

test("a helper that is gone is told as one that is not there, and so is one that has failed or answers otherwise: it may have begun", async () => {
  const { carrier, helper, told } = openCarrier();
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
function takingHelper(opened: ReturnType<typeof openCarrier>, answer: JsonObject = { taken: true }) {
  const { ask } = opened.helper;
  let submits = 0;
  opened.helper.ask = async (verb, fields) => {
    if (verb === "task.submit") submits += 1;
    return verb === "task.submit" && submits > 1 ? (opened.helper.asked.push(verb), answer) : ask(verb, fields);
  };
}
const taken = { t: "task-taken", task: frame.task };

test("a change that the helper takes is told as taken, and its journal is followed", async () => {
  const opened = openCarrier();
  takingHelper(opened);
  expect(refusalIn(await opened.carrier.carry(frame))).toEqual(taken);
  expect(opened.told).toEqual(["begun"]);
  expect(opened.timers.running()).toEqual([]);
});

test("a change that comes again is answered at once, and what it had ended with is kept for the server", async () => {
  const opened = openCarrier();
  opened.helper.ask = async () => ({ taken: true, outcome: "c2lnbmVk" });
  expect(refusalIn(await opened.carrier.carry(frame))).toEqual(taken);
  expect(opened.told).toEqual(["c2lnbmVk", "begun"]);
  expect(opened.pulled).toEqual([]);
});

test("a helper that ends while it judges is asked once more whether it has begun", async () => {
  const opened = openCarrier();
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
function endingHelper(opened: ReturnType<typeof openCarrier>, again: () => never) {
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
    const opened = openCarrier();
    const submits = endingHelper(opened, () => {
      throw fault(code, "so");
    });
    expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("local.unavailable"));
    expect(submits()).toBe(3);
    expect(opened.told).toEqual(["begun"]);
  },
);

test("when it judges the change then, it had not begun: that is the answer", async () => {
  const opened = openCarrier();
  endingHelper(opened, () => {
    throw fault("state.stale", "so");
  });
  expect(refusalIn(await opened.carrier.carry(frame))).toMatchObject(refusedAs("state.stale"));
  expect(opened.told).toEqual([]);
});

test("a helper that ends while it judges is asked once more also when the time for the parts is over by then", async () => {
  const opened = openCarrier();
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
  const opened = openCarrier();
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

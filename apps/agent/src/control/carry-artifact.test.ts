import { channelLimits } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { frame, honest, openCarrier, program, refusalIn, refusedAs, withArtifact } from "../../test/carrier-bench.ts";
import { partOf, willingJudge } from "../../test/fake-judge.ts";
import { carryLimits, carryMs } from "./carry-task.ts";

test("an artifact is brought behind the other parts, and each piece has its own time", async () => {
  const judge = willingJudge();
  const opened = openCarrier(honest, judge);
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
  const { carrier, timers, pulled, next } = openCarrier();
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
  const { carrier, pulled, next } = openCarrier(honest, judge);
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
  const { carrier, helper, pulled } = openCarrier(honest, judge);
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
  const { carrier, next } = openCarrier(honest, judge);
  next.serve = (piece, self) => {
    if (piece.sha256 !== partOf(program).sha256) honest(piece, self);
    else self.answered({ bytes: new Uint8Array(piece.length) });
  };
  expect(refusalIn(await carrier.carry(withArtifact))).toMatchObject(refusedAs("blob.digest"));
  expect(judge.judged).toEqual([]);
});

test("a fast server is asked no more often in a second than it counts, and the rest in the next ones", async () => {
  const { carrier, helper, clock, timers, pulled, next } = openCarrier();
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

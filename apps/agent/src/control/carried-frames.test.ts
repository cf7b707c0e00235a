import { channelLimits, type FrameOf, readControlFrame, writePiece } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { sampleChange, willingJudge } from "../../test/fake-judge.ts";
import type { Peer } from "../../test/fake-control-server.ts";
import { startConnected } from "../../test/running-agent.ts";
import { carryLimits } from "./carry-task.ts";

/** Two pieces, the first as large as any may be. */
const change = sampleChange(channelLimits.pullBytes + 1);
const announced = JSON.stringify({ t: "task", ...change.task });
const { task } = change.task;

const heard = <Type extends "pull" | "task-refused" | "beat">(peer: Peer, type: Type): FrameOf<Type>[] =>
  peer.received
    .flatMap((data) => (typeof data === "string" ? (readControlFrame(data, "agent") ?? []) : []))
    .filter((frame): frame is FrameOf<Type> => frame.t === type);

type Answer = (pull: FrameOf<"pull">, bytes: Uint8Array) => string | Uint8Array | undefined;

const honestly: Answer = ({ request, offset }, bytes) => writePiece({ request, offset, bytes });

/** Answers each pull as it comes. */
function answerPulls(peer: Peer, answer: Answer): void {
  peer.socket.on("message", (data: Buffer, isBinary: boolean) => {
    const frame = isBinary ? undefined : readControlFrame(data.toString("utf8"), "agent");
    if (frame?.t !== "pull") return;
    const bytes = change.held.get(frame.sha256)?.subarray(frame.offset, frame.offset + frame.length);
    const answered = bytes && answer(frame, bytes);
    if (answered !== undefined) peer.socket.send(answered);
  });
}

async function startCarrying(answer: Answer) {
  const judge = willingJudge();
  const agent = await startConnected((peer) => {
    answerPulls(peer, answer);
    peer.socket.send(announced);
  }, judge);
  return { ...agent, judge };
}

test("a change is carried to the helper over both sockets, whole and byte by byte as it was sent", async () => {
  const { peer, judge, lines } = await startCarrying(honestly);
  await expect.poll(() => heard(peer, "task-refused")).toMatchObject([{ task, code: "apply.absent" }]);
  expect(judge.judged).toMatchObject([change.bytes]);
  expect(heard(peer, "pull").map(({ request }) => request)).toEqual([1, 2, 3, 4, 5]);
  expect(lines).toEqual(["connected"]);
});

test.each<[string, Answer, string]>([
  [
    "other bytes",
    ({ request, offset, length }) => writePiece({ request, offset, bytes: new Uint8Array(length) }),
    "blob.digest",
  ],
  ["an end", ({ request }) => JSON.stringify({ t: "pull-end", request, reason: "blob.gone" }), "artifact.missing"],
])("%s in place of a piece refuses the change, and the connection goes on", async (_, answer, code) => {
  const { peer, judge, lines } = await startCarrying(answer);
  await expect.poll(() => heard(peer, "task-refused")).toMatchObject([{ task, code }]);
  expect(judge.judged).toEqual([]);
  expect(lines).toEqual(["connected"]);
});

test.each<[string, Answer, string]>([
  [
    "a byte less",
    ({ request, offset }, bytes) => writePiece({ request, offset, bytes: bytes.subarray(1) }),
    "frame.malformed",
  ],
  [
    "a byte more",
    ({ request, offset, length }) => writePiece({ request, offset, bytes: new Uint8Array(length + 1) }),
    "frame.malformed",
  ],
  [
    "another place",
    ({ request, offset }, bytes) => writePiece({ request, offset: offset + 1, bytes }),
    "frame.malformed",
  ],
  [
    "another number",
    ({ request, offset }, bytes) => writePiece({ request: request + 1, offset, bytes }),
    "frame.malformed",
  ],
  [
    "an end of another",
    ({ request }) => JSON.stringify({ t: "pull-end", request: request + 1, reason: "" }),
    "frame.malformed",
  ],
  ["more than any piece", () => new Uint8Array(channelLimits.pullBytes + 14), "frame.too_large"],
])("an answer with %s ends the connection, and the helper judges nothing", async (_, answer, code) => {
  const { peer, judge, lines } = await startCarrying(answer);
  expect((await peer.closed).reason).toBe(code);
  await expect.poll(() => lines[1]).toMatch(new RegExp(`^not connected: ${code}: `));
  expect(judge.judged).toEqual([]);
});

test("beats go on while a server owes a piece, a second change is refused, and after a minute the first is", async () => {
  const { peer, timers, lines } = await startCarrying(() => undefined);
  await expect.poll(() => heard(peer, "pull").length).toBe(1);
  const second = `task_${"1".repeat(26)}`;
  peer.socket.send(JSON.stringify({ ...JSON.parse(announced), task: second }));
  await expect.poll(() => heard(peer, "task-refused")).toMatchObject([{ task: second, code: "read.rate" }]);
  timers.endWhere((ms) => ms <= 10_000);
  await expect.poll(() => heard(peer, "beat").length).toBe(1);
  expect(timers.end(carryLimits.pieceMs)).toBe(1);
  await expect
    .poll(() => heard(peer, "task-refused"))
    .toMatchObject([{ task: second }, { task, code: "artifact.missing" }]);
  // The piece comes after all: an honest server could not know.
  const [{ request, offset, sha256 }] = heard(peer, "pull") as [FrameOf<"pull">];
  peer.socket.send(writePiece({ request, offset, bytes: change.held.get(sha256) as Uint8Array }));
  answerPulls(peer, honestly);
  peer.socket.send(announced);
  await expect.poll(() => heard(peer, "task-refused").at(-1)).toMatchObject({ task, code: "apply.absent" });
  expect(lines).toEqual(["connected"]);
});

test("a change whose connection is lost is forgotten; the next connection carries it from its beginning", async () => {
  let isFirst = true;
  const { peer, peers, timers, lines, judge } = await startCarrying((pull, bytes) =>
    isFirst && pull.request > 2 ? undefined : honestly(pull, bytes),
  );
  await expect.poll(() => heard(peer, "pull").length).toBe(3);
  isFirst = false;
  peer.socket.close(1012, "");
  await expect.poll(() => lines.some((line) => line.startsWith("not connected"))).toBe(true);
  expect(timers.running(), "only the next attempt is waited for").toHaveLength(1);
  timers.endWhere(() => true);
  await expect.poll(() => peers.length).toBe(2);
  const next = peers[1] as Peer;
  await expect.poll(() => heard(next, "task-refused")).toMatchObject([{ task, code: "apply.absent" }]);
  expect(judge.judged).toMatchObject([change.bytes]);
  expect(heard(next, "pull")[0]?.request).toBe(1);
  expect(heard(peer, "task-refused")).toEqual([]);
});

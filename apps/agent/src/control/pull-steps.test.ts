import { channelLimits, pieceHeadLength, writePiece } from "@gatehouse/channel";
import { expect, test } from "vitest";
import { beginPull, forgetPulls, mostOpenPulls, noPulls, takePiece, takePullEnd } from "./pull-steps.ts";

const sha256 = "a".repeat(64);
const wanted = { sha256, offset: 100, length: 3 };
const bytes = Uint8Array.of(1, 2, 3);
const [asked, sent] = beginPull(noPulls, wanted);

test("a pull is asked for by a number of its own", () => {
  expect(sent).toEqual([{ t: "send", data: JSON.stringify({ t: "pull", request: 1, ...wanted }) }]);
  const [, again] = beginPull(asked, wanted);
  expect(again).toMatchObject([{ data: expect.stringContaining('"request":2') }]);
});

test("the piece that was asked for is taken, once", () => {
  const message = writePiece({ request: 1, offset: 100, bytes });
  const [after, effects] = takePiece(asked, message);
  expect(effects).toEqual([{ t: "pulled", answer: { bytes } }]);
  expect(after).toEqual({ last: 1, open: [] });
  expect(() => takePiece(after, message)).toThrow(/^frame\.malformed/);
});

test("a piece of the largest size is taken", () => {
  const [pulls] = beginPull(noPulls, { sha256, offset: 0, length: channelLimits.pullBytes });
  const large = new Uint8Array(channelLimits.pullBytes);
  expect(takePiece(pulls, writePiece({ request: 1, offset: 0, bytes: large }))[1]).toHaveLength(1);
});

test.each([
  ["to another pull", writePiece({ request: 2, offset: 100, bytes }), "frame.malformed"],
  ["from another place", writePiece({ request: 1, offset: 0, bytes }), "frame.malformed"],
  ["a byte short", writePiece({ request: 1, offset: 100, bytes: bytes.subarray(1) }), "frame.malformed"],
  ["a byte long", writePiece({ request: 1, offset: 100, bytes: new Uint8Array(4) }), "frame.malformed"],
  ["of nothing", writePiece({ request: 1, offset: 100, bytes: new Uint8Array() }), "frame.malformed"],
  ["of another kind", writePiece({ request: 1, offset: 100, bytes }).fill(2, 0, 1), "frame.malformed"],
  ["of no form", new Uint8Array(), "frame.malformed"],
  ["above every size", new Uint8Array(pieceHeadLength + channelLimits.pullBytes + 1), "frame.too_large"],
])("an answer %s ends the connection", (_, message, code) => {
  expect(() => takePiece(asked, message)).toThrow(new RegExp(`^${code}: `));
});

test("a pull that the server ends is told with its reason, of which only plain words stay", () => {
  const reason = "blob.not_wanted\u001b[31m\n<b>";
  const [after, effects] = takePullEnd(asked, { t: "pull-end", request: 1, reason });
  expect(effects).toEqual([{ t: "pulled", answer: { ended: "blob.not_wanted??31m??b?" } }]);
  expect(after.open).toEqual([]);
  expect(() => takePullEnd(after, { t: "pull-end", request: 1, reason })).toThrow(/^frame\.malformed/);
});

test("the answer to a pull for which nobody waits any more is no offence, if it is exact", () => {
  const late = forgetPulls(asked);
  expect(takePiece(late, writePiece({ request: 1, offset: 100, bytes }))).toEqual([{ last: 1, open: [] }, []]);
  expect(takePullEnd(late, { t: "pull-end", request: 1, reason: "" })).toEqual([{ last: 1, open: [] }, []]);
  expect(() => takePiece(late, writePiece({ request: 1, offset: 99, bytes }))).toThrow(/^frame\.malformed/);
});

test("a server that owes four answers is asked for nothing more", () => {
  let pulls = noPulls;
  for (let count = 0; count < mostOpenPulls; count += 1) pulls = forgetPulls(beginPull(pulls, wanted)[0]);
  const [after, effects] = beginPull(pulls, wanted);
  expect(after).toEqual(pulls);
  expect(effects).toEqual([{ t: "pulled", answer: { ended: "it owes the answers to earlier ones" } }]);
});

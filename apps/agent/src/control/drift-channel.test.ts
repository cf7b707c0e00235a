import { decodeBase64url, type DriftPart, type FrameOf, readControlFrame, readDrift } from "@gatehouse/channel";
import { isSignedBy, loadPublicKey } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { expect, test } from "vitest";
import type { Peer } from "../../test/fake-control-server.ts";
import { startConnected } from "../../test/running-agent.ts";

const part: DriftPart = {
  subject: "file:/etc/motd",
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: 1_800_000_000_000,
  expected: "b".repeat(64),
  state: "missing",
  found: null,
  why: "",
};
const heard = (peer: Peer): FrameOf<"drift">[] =>
  peer.received
    .flatMap((data) => (typeof data === "string" ? (readControlFrame(data, "agent") ?? []) : []))
    .filter((frame): frame is FrameOf<"drift"> => frame.t === "drift");

test("a server that wants to know is told what differs, in the host's own name, and one that does not ask is told nothing", async () => {
  const { peer, helper, timers } = await startConnected();
  let looks = 0;
  const readDriftNow = async () => {
    looks += 1;
    return { left: 0, number: looks, drift: { watched: 1, more: 0, parts: [part] } };
  };
  Object.assign(helper.deps, { readDrift: readDriftNow });
  timers.endWhere((ms) => ms <= 5_000);
  expect(looks).toBe(0);
  const before = new Set(timers.running());
  peer.socket.send('{"t":"want-drift","at":null,"parts":0}');
  await expect.poll(() => timers.running().some((ms) => !before.has(ms))).toBe(true);
  timers.endWhere((ms) => !before.has(ms));
  await expect.poll(() => heard(peer).length).toBe(1);
  const read = readSigned(decodeBase64url(heard(peer)[0]?.signed ?? ""), [64], readDrift);
  if (read === undefined) throw new Error("no signed word");
  expect(read.value.drift.parts).toEqual([part]);
  expect(isSignedBy(loadPublicKey(read.value.hostKey, "H"), read.framed, read.signatures[0])).toBe(true);
});

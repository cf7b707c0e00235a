import { challengeFrame, writePiece } from "@gatehouse/channel";
import { importPrivateKey, newPrivateKey, publicKeyBytes } from "@gatehouse/keys";
import { expect, test } from "vitest";
import { honestChallenge, welcomeTo } from "../../test/fake-control-server.ts";
import type { ControlEvent, ControlState, Surroundings } from "./control-state.ts";
import { controlStep, firstState } from "./control-step.ts";
import { noMinutes } from "./minute-steps.ts";

const around: Surroundings = {
  now: () => 1_000_000,
  monotonic: () => 0,
  random: () => 0.5,
  nonce: () => new Uint8Array(32),
  agentVersion: "0.1.7",
  cursor: () => ({ acked: 0, last: 0 }),
  minutes: () => [],
};
const credentials = {
  nodeId: "node_zjq786fqc9hjs4qb1wefsk24q0",
  channelKey: newPrivateKey(),
  isOffered: false,
  server: publicKeyBytes(importPrivateKey(new Uint8Array(32).fill(5))),
  authority: "gh.example:443",
  probe: new Uint8Array(),
};
const { kept } = firstState(20);
const second = { from: 0, messages: 0 };
const out = { sent: 0, underWay: [], reading: "no", second } as const;
const pulls = { last: 1, open: [{ request: 1, offset: 0, length: 1, isWanted: true }] };
const states: readonly ControlState[] = [
  { at: "waiting", kept },
  { at: "dialling", kept },
  { at: "asking", kept, credentials },
  { at: "proving", kept, credentials, sent: new Uint8Array(10), message: new Uint8Array(74) },
  {
    at: "online",
    kept,
    online: {
      beatMs: 10_000,
      sent: 3,
      acked: 0,
      second,
      told: undefined,
      step: undefined,
      out,
      offeredAfter: 1,
      asking: ["task"],
      pulls,
      minutes: noMinutes,
      logs: 3,
    },
  },
  { at: "stopped", kept },
];
const events: readonly ControlEvent[] = [
  { t: "start" },
  ...(["retry", "hello", "beat", "facts"] as const).map((name) => ({ t: "timer", name }) as const),
  { t: "opened", credentials, protocol: "", extensions: "" },
  { t: "opened", credentials, protocol: "gatehouse.agent.1", extensions: "" },
  { t: "message", data: "" },
  { t: "message", data: '{"t":"bye","code":"x"}' },
  { t: "message", data: new Uint8Array(100) },
  { t: "message", data: new Uint8Array(honestChallenge.nonce) },
  { t: "closed", code: 1006, reason: "" },
  { t: "closed", code: 4403, reason: "hello.revoked" },
  { t: "failed", code: "unreachable", detail: "x" },
  { t: "facts", about: "a", text: "{}" },
  { t: "offer", text: "{}" },
  { t: "message", data: '{"t":"beat-ack","seq":3}' },
  { t: "answered", what: "task", texts: ["{}"] },
  { t: "answered", what: "state", texts: ["{}"] },
  { t: "pull", piece: { sha256: "a".repeat(64), offset: 0, length: 1 } },
  { t: "message", data: writePiece({ request: 1, offset: 0, bytes: new Uint8Array(1) }) },
  { t: "message", data: '{"t":"pull-end","request":1,"reason":"x"}' },
  { t: "step", text: "{}" },
  { t: "logs", seq: 4, text: "{}" },
  { t: "message", data: '{"t":"want-logs","checkpoint":null,"linesPerSecond":1}' },
  { t: "message", data: '{"t":"logs-ack","seq":3,"pauseMs":0,"kept":true}' },
  { t: "message", data: '{"t":"logs-ack","seq":4,"pauseMs":0,"kept":true}' },
  { t: "stop" },
];
const pairs = states.flatMap((state) =>
  events.map((event) => [state.at, JSON.stringify(event), state, event] as const),
);

test.each(pairs)("%s takes %s without a defect, and only a proof leads to online", (at, _, state, event) => {
  const [next, effects] = controlStep(around, state, event);
  if (next.at === "online") expect(at).toBe("online");
  if (at === "stopped") expect([next, effects]).toEqual([state, []]);
  // What waits has exactly one timer to wait for, unless it has not begun.
  if (next.at === "waiting" && at !== "waiting") {
    expect(effects.filter(({ t }) => t === "timer")).toEqual([expect.objectContaining({ name: "retry" })]);
    expect(effects).toContainEqual({ t: "no-timers" });
    expect(next.kept.nextTryAt).toBeGreaterThan(around.now());
  }
});

test("a start is tried at once, whatever is drawn, and a stop before it leaves nothing behind", () => {
  const [started, effects] = controlStep(around, firstState(20), { t: "start" });
  expect(effects).toEqual([{ t: "follow-journal" }, { t: "timer", name: "retry", ms: 0 }]);
  expect(controlStep(around, started, { t: "stop" })).toEqual([
    expect.objectContaining({ at: "stopped" }),
    [{ t: "no-timers" }, { t: "close", code: 1000, reason: "agent.stopping" }],
  ]);
});

test("losses are counted in a row, and a welcome begins anew", () => {
  let state = firstState(20);
  const pauses: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const dialling: ControlState = { at: "dialling", kept: state.kept };
    const [next] = controlStep(around, dialling, { t: "failed", code: "unreachable", detail: "" });
    pauses.push((next.kept.nextTryAt ?? 0) - around.now());
    state = next;
  }
  expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000]);
});

test("a step of the open change is sent once on a connection, and the next when it is another", () => {
  const online = states.find(({ at }) => at === "online") as ControlState;
  const [first, sent] = controlStep(around, online, { t: "step", text: "a" });
  expect(sent).toEqual([{ t: "send", data: "a" }]);
  expect(controlStep(around, first, { t: "step", text: "a" })).toEqual([first, []]);
  expect(controlStep(around, first, { t: "step", text: "b" })[1]).toEqual([{ t: "send", data: "b" }]);
});

test.each([0, 32])(
  "a welcome to a hello with a probe of %d bytes is brought to the helper, or the journal is read",
  (length) => {
    const key = importPrivateKey(new Uint8Array(32).fill(5));
    const asking: ControlState = { at: "asking", kept, credentials: { ...credentials, probe: new Uint8Array(length) } };
    const [proving, [hello]] = controlStep(around, asking, { t: "message", data: challengeFrame(honestChallenge) });
    if (proving.at !== "proving" || hello?.t !== "send") throw new Error("no hello");
    const welcome = welcomeTo(proving.sent, { key });
    const [next, [first]] = controlStep(around, proving, { t: "message", data: welcome });
    expect(next.at).toBe("online");
    expect(first).toEqual(
      length === 0 ? { t: "follow-journal" } : { t: "prove", proof: { hello: hello.data, welcome } },
    );
  },
);

import { importPrivateKey, nodeIdOf, publicKeyBytes, signBytes } from "@gatehouse/keys";
import { joinSigned } from "@gatehouse/keys/frame";
import { manualClock } from "@gatehouse/base";
import { type DriftPart, driftFrame, encodeBase64url } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { manualTimers } from "../../test/manual-timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { driftMs, openDriftTeller } from "./tell-drift.ts";

const key = importPrivateKey(new Uint8Array(32).fill(1));
const hostKey = publicKeyBytes(key);
const part = (name: string): DriftPart => ({
  subject: `file:/etc/${name}`,
  task: `task_${"0".repeat(26)}`,
  plan: "a".repeat(64),
  confirmedAt: 1,
  expected: "b".repeat(64),
  state: "missing",
  found: null,
  why: "",
});
const hour = driftMs.hour;

function setUp() {
  const clock = manualClock();
  const timers = manualTimers();
  const sent: string[] = [];
  const lines: string[] = [];
  const host: {
    parts: readonly DriftPart[];
    watched: number;
    left: number[];
    error?: Error | undefined;
    asked: number;
  } = { parts: [], watched: 1, left: [], asked: 0 };
  const ask: AskHelper = async (verb, fields = {}) => {
    expect([verb, fields]).toEqual(["drift.read", {}]);
    host.asked += 1;
    if (host.error !== undefined) throw host.error;
    const left = host.left.shift() ?? 0;
    if (left > 0) return { left };
    const drift = { watched: host.watched, more: 0, parts: [...host.parts] };
    const framed = driftFrame({ nodeId: nodeIdOf(hostKey), hostKey, number: host.asked, at: clock.now(), drift });
    return { left, signed: encodeBase64url(joinSigned(framed, signBytes(key, framed))) };
  };
  const teller = openDriftTeller({
    ask,
    clock,
    timers,
    random: () => 0.5,
    send: (text) => void sent.push(text),
    log: (line) => void lines.push(line),
  });
  /** Ends the one timer there is, and lets what follows happen. */
  const next = async () => {
    const [ms] = timers.running();
    expect(timers.running()).toHaveLength(1);
    clock.advance(ms ?? 0);
    timers.end(ms ?? 0);
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    return ms;
  };
  return { clock, timers, sent, lines, host, teller, next };
}

test("nothing is looked at before a server wants to know, and then soon, and every hour", async () => {
  const { teller, timers, next, host, sent } = setUp();
  teller.changed();
  expect(timers.running()).toEqual([]);
  teller.want({ t: "want-drift", at: null, parts: 0 });
  expect(await next()).toBe(driftMs.first / 2);
  expect(host.asked).toBe(1);
  expect(sent).toHaveLength(1);
  expect(timers.running()).toEqual([hour]);
});

test("what differs is told on every connection, and again only when it has changed or a day has passed", async () => {
  const { teller, next, host, sent, clock } = setUp();
  host.parts = [part("a")];
  teller.want({ t: "want-drift", at: clock.now(), parts: 1 });
  await next();
  await next();
  expect(sent).toHaveLength(1);
  host.parts = [part("a"), part("b")];
  await next();
  expect(sent).toHaveLength(2);
  teller.end();
  teller.want({ t: "want-drift", at: clock.now(), parts: 2 });
  await next();
  expect(sent).toHaveLength(3);
  for (let hours = 0; hours < 23; hours += 1) await next();
  expect(sent).toHaveLength(3);
  await next();
  expect(sent).toHaveLength(4);
});

test("that all is as confirmed is told where the server believes something else, and else once a day", async () => {
  const { teller, next, host, sent, clock } = setUp();
  teller.want({ t: "want-drift", at: clock.now(), parts: 0 });
  await next();
  expect(sent).toEqual([]);
  teller.end();
  teller.want({ t: "want-drift", at: clock.now(), parts: 3 });
  await next();
  expect(sent).toHaveLength(1);
  host.watched = 0;
  teller.want({ t: "want-drift", at: null, parts: 0 });
  await next();
  expect(sent).toHaveLength(1);
});

test("a look in pieces goes on soon, and is told as a whole", async () => {
  const { teller, next, host, sent } = setUp();
  host.left = [64, 1];
  teller.want({ t: "want-drift", at: null, parts: 0 });
  await next();
  expect(await next()).toBe(driftMs.next);
  expect(sent).toEqual([]);
  expect(await next()).toBe(driftMs.next);
  expect(sent).toHaveLength(1);
});

test("a server that asks again and again makes no host look more often", async () => {
  const { teller, next, timers, clock, host } = setUp();
  teller.want({ t: "want-drift", at: null, parts: 0 });
  await next();
  for (let asked = 0; asked < 100; asked += 1) teller.want({ t: "want-drift", at: null, parts: 0 });
  expect(timers.running()).toEqual([driftMs.least]);
  clock.advance(1);
  expect(host.asked).toBe(1);
});

test("the end of a change is a reason to look, and while one is open it is waited", async () => {
  const { teller, next, timers, host, clock } = setUp();
  host.error = fault("slot.busy", "a change is open");
  teller.want({ t: "want-drift", at: null, parts: 0 });
  await next();
  expect(timers.running()).toEqual([driftMs.busy]);
  host.error = undefined;
  clock.advance(driftMs.least);
  teller.changed();
  expect(timers.running()).toEqual([driftMs.afterChange]);
});

test("a helper that does not know the question is not asked again, and one that fails is, with one line", async () => {
  const { teller, next, timers, host, lines } = setUp();
  host.error = fault("read.rate", "too often");
  teller.want({ t: "want-drift", at: null, parts: 0 });
  await next();
  await next();
  expect(lines).toHaveLength(1);
  host.error = fault("local.verb", "expected another one");
  await next();
  expect(timers.running()).toEqual([]);
});

test("when the connection has gone nothing is planned any more", async () => {
  const { teller, timers } = setUp();
  teller.want({ t: "want-drift", at: null, parts: 0 });
  teller.end();
  expect(timers.running()).toEqual([]);
});

import { setImmediate as turn } from "node:timers/promises";
import { type JsonObject, manualClock } from "@gatehouse/base";
import { encodeBase64url, packHeadRows, readControlFrame } from "@gatehouse/channel";
import { fault } from "@gatehouse/contract/faults";
import { expect, test } from "vitest";
import { lineServer, type MadeHead, makeLine, rowsOf } from "../../test/head-line.ts";
import { makeHostDirectory } from "../../test/host-directory.ts";
import { startHelper } from "../../test/helper-process.ts";
import { manualTimers } from "../../test/manual-timers.ts";
import { putPinnedServer } from "../local/server-file.ts";
import type { HelperVerbName } from "../local/ask-helper.ts";
import { openWitnessFollower } from "./follow-witness.ts";
import type { ToldStanding } from "./host-events.ts";

const line = makeLine(40);
const at = (n: number) => line[n - 1] as MadeHead;

/** A follower before a real helper, whose server is the test. */
async function start() {
  const host = makeHostDirectory();
  await putPinnedServer(host, { url: "https://gh.example", key: lineServer });
  const helper = await startHelper(host);
  const clock = manualClock();
  const timers = manualTimers();
  const sent: unknown[] = [];
  const stood: ToldStanding[] = [];
  const lines: string[] = [];
  const asked: string[] = [];
  const asks = { underWay: 0 };
  const follower = openWitnessFollower({
    ask: async (verb: HelperVerbName, fields?: JsonObject) => {
      asked.push(verb);
      asks.underWay += 1;
      try {
        return await helper.ask(verb, fields);
      } finally {
        asks.underWay -= 1;
      }
    },
    clock,
    timers,
    events: { witness: async (standing) => void stood.push(standing) },
    send: (text) => void sent.push(readControlFrame(text, "agent")),
    log: (text) => void lines.push(text),
  });
  const show = async (head: MadeHead) => {
    clock.advance(60_000);
    follower.take({ t: "head", signed: head.text });
    await quiet();
  };
  /** Between two questions of one piece of work lies a turn of the event loop at most. */
  const quiet = async () => {
    do for (let turns = 0; turns < 5; turns += 1) await turn();
    while (asks.underWay > 0);
  };
  const page = async (from: number, to: number) => {
    const rows = encodeBase64url(packHeadRows(rowsOf(line.slice(from - 1, to))));
    follower.take({ t: "heads", from, rows, signed: at(to).text });
    await quiet();
  };
  follower.connected();
  await quiet();
  return { host, helper, clock, timers, sent, stood, lines, asked, follower, show, page, quiet };
}

test("a host that holds nothing says nothing; with a head it says which, once", async () => {
  const { sent, show, stood } = await start();
  expect(sent).toEqual([]);
  await show(at(3));
  await show(at(3));
  expect(sent).toMatchObject([{ t: "~witness", held: { n: 3, position: 30 }, code: null }]);
  expect(stood.at(-1)).toMatchObject({ code: null });
});

test("what was missed is asked for in pages, until the newest head follows", async () => {
  const { sent, show, page, timers } = await start();
  await show(at(3));
  await show(at(30));
  expect(sent.at(-1)).toEqual({ t: "want-heads", from: 4 });
  await page(4, 20);
  expect(sent.at(-1), "not before a quarter of a minute has passed").toMatchObject({ t: "~witness", held: { n: 20 } });
  expect(timers.running().some((ms) => ms > 0)).toBe(true);
});

test("rows that nobody asked for are not looked at", async () => {
  const { asked, show, page } = await start();
  await show(at(3));
  const before = asked.length;
  await page(4, 9);
  expect(asked).toHaveLength(before);
});

test("rows that never come are a gap after two more heads, and the rows end it when they come", async () => {
  const { sent, show, page, stood } = await start();
  await show(at(3));
  for (const n of [30, 31, 32]) await show(at(n));
  expect(sent.filter((frame) => (frame as { code?: string }).code === "witness.gap")).toEqual([]);
  await show(at(33));
  expect(sent.at(-1)).toMatchObject({ t: "~witness", held: { n: 3 }, code: "witness.gap" });
  expect(stood.at(-1)).toMatchObject({ code: "witness.gap" });
  await show(at(34));
  await page(4, 34);
  expect(sent.at(-1)).toMatchObject({ held: { n: 34 }, code: null });
});

test("an older head is refused, told, and told again over the next connection", async () => {
  const { sent, show, follower, quiet } = await start();
  await show(at(9));
  await show(at(2));
  expect(sent.at(-1)).toMatchObject({ held: { n: 9 }, code: "witness.regressed" });
  follower.end();
  sent.length = 0;
  follower.connected();
  await quiet();
  expect(sent).toMatchObject([{ held: { n: 9 }, code: "witness.regressed" }]);
});

test("a server that floods the host with heads has the helper asked once in four seconds", async () => {
  const { asked, follower, quiet, timers } = await start();
  for (let n = 0; n < 500; n += 1) follower.take({ t: "head", signed: at(1 + (n % 40)).text });
  await quiet();
  expect(asked.filter((verb) => verb === "head.put").length).toBeLessThanOrEqual(2);
  expect(timers.running().length, "one timer, however many heads come").toBeLessThanOrEqual(1);
});

test("a helper that does not answer is said, and the next head is brought all the same", async () => {
  const timers = manualTimers();
  const clock = manualClock();
  const lines: string[] = [];
  let tries = 0;
  const follower = openWitnessFollower({
    ask: async () => {
      tries += 1;
      throw fault("local.unavailable", "no");
    },
    clock,
    timers,
    events: { witness: () => Promise.resolve() },
    send: () => undefined,
    log: (text) => void lines.push(text),
  });
  follower.connected();
  await expect.poll(() => tries).toBe(1);
  clock.advance(60_000);
  follower.take({ t: "head", signed: at(1).text });
  await expect.poll(() => tries).toBe(2);
  expect(lines).toHaveLength(2);
});

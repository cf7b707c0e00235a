import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { until } from "../support/until.ts";
import { counts } from "./support/chance.ts";
import { childrenOf } from "./support/children-of.ts";
import { openEventStream } from "./support/event-stream.ts";
import { call, newPerson } from "./support/people.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { activate, makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Nezha: streams could be opened without end, and each kept some memory. Here: streams of events, actions of plugins at once, and
 * actions that write without end. Each has a number at which it ends, and nothing of it stays.
 */
const flooding = `case "$line" in
  *'"standard output"'*) yes ;;
  *'"one endless line"'*) yes | tr -d '\\n' ;;
  *'"standard error"'*) yes >&2 ;;
  *'"calls"'*) n=1; while :; do printf '{"jsonrpc":"2.0","id":%s,"method":"kv.list","params":{}}\\n' "$n"; n=$((n + 1)); done ;;
  *'"calls that are refused"'*) n=1; while :; do printf '{"jsonrpc":"2.0","id":%s,"method":"x","params":{}}\\n' "$n"; n=$((n + 1)); done ;;
  *'"log lines"'*) n=1; while :; do printf '{"jsonrpc":"2.0","id":%s,"method":"log.write","params":{"level":"info","message":"%03999d"}}\\n' "$n" 0; n=$((n + 1)); done ;;
  *'"empty lines"'*) yes '' ;;
  *'"processes"'*) while :; do sleep 60 & done ;;
  *) answer '{"status":"ok"}' ;;
esac`;
const floods: Readonly<Record<string, RegExp>> = {
  "standard output": /wrote a line that is not strict JSON/,
  "one endless line": /wrote more than 16777216 bytes/,
  "standard error": /wrote more than 65536 bytes to standard error/,
  calls: /more than 64 broker calls/,
  "calls that are refused": /more than 64 broker calls/,
  "log lines": /more than 64 broker calls/,
  "empty lines": /not strict JSON/,
  processes: /processes and threads, and 64 are allowed|ended with/,
};
const hanging = [1, 2, 3, 4, 5].map((number) => `acme-hangs-${number}`);
const place = await makeTrustingPlace();
await placeShell(place, "acme-floods", flooding, { capabilities: ["kv:read", "log:write"] });
for (const id of hanging) await placeShell(place, id, "sleep 60");
// Little room for garbage, so that what stays shows at once.
const started = await sharedPlugins(place, {
  env: { NODE_OPTIONS: "--max-old-space-size=96 --max-semi-space-size=4" },
});
const { port, owner, server } = started;
await activate(started, "acme-floods", ...hanging);
const health = () => call<{ status: string }>(port, "GET", "/api/health");

test("one person and all of them together have so many streams, and what is closed makes room", async (context) => {
  const most = 8;
  const [waves, each] = [counts["83 waves"], counts["83 streams in a wave"]];
  const viewer = await newPerson(port, owner, "viewer");
  const memory: number[] = [];
  for (let wave = 0; wave < waves; wave += 1) {
    const streams = Array.from({ length: each }, () => openEventStream(port, viewer.as));
    try {
      await Promise.all(streams.map((stream) => stream.until(() => stream.text().includes("\r\n\r\n"))));
      const statuses = streams.map((stream) => stream.text().slice(9, 12));
      // Those of the wave before may still be on their way out.
      const opened = statuses.filter((status) => status === "200").length;
      expect(opened).toBeLessThanOrEqual(most);
      if (wave === 0) expect(opened).toBe(most);
      expect(statuses.filter((status) => status === "429")).toHaveLength(each - opened);
      expect((await health()).body).toEqual({ status: "ok" });
    } finally {
      for (const stream of streams) stream[Symbol.dispose]();
    }
    memory.push(memoryOf(server.pid));
  }
  // Somebody else was never kept out, and the same person may come back.
  for (const { as } of [owner, viewer]) {
    await until("the places of ended streams are free", async () => {
      using stream = openEventStream(port, as);
      await stream.until(() => stream.text().includes("\r\n\r\n"));
      return stream.text().startsWith("HTTP/1.1 200");
    });
  }
  expect((memory.at(-1) ?? 0) - (memory[0] ?? 0)).toBeLessThan(roomBytes);
  tried(context, `${count(waves * each, "streams")} of one person, ${most} of them at a time`);
});

test("so many actions run at once, of one plugin and of all; the others are told when to come back", async (context) => {
  const each = counts["83 actions of a plugin"];
  let answered = 0;
  const asks = hanging.flatMap((id) =>
    Array.from({ length: each }, async () => {
      const answer = await started.ask(id, "health");
      answered += 1;
      return { id, status: answer.status, code: answer.code, retry: answer.raw.headers.get("retry-after") };
    }),
  );
  const refused = asks.length - 64;
  await until("all but 64 actions are refused", () => answered >= refused);
  expect((await health()).body).toEqual({ status: "ok" });
  // Sixty-four are under way now, and not one more. One that is let in and has not begun would be refused as not active.
  expect(answered).toBe(refused);
  let running: readonly number[] = [];
  await until("sixty-four actions have begun", async () => {
    running = (await started.list()).items.map(({ runtime }) => runtime.actions);
    return running.reduce((sum, actions) => sum + actions, 0) >= 64;
  });
  expect(running.every((actions) => actions <= 16)).toBe(true);
  for (const id of hanging) expect((await started.move(id, "disabled")).status).toBe(200);
  const ends = await Promise.all(asks);
  const busy = ends.filter(({ status }) => status === 429);
  expect(busy).toHaveLength(refused);
  expect(new Set(busy.map(({ code, retry: after }) => `${code} ${after}`))).toEqual(new Set(["plugin.busy 1"]));
  expect(ends.filter(({ status }) => status !== 429).every(({ code }) => code === "plugin.action_failed")).toBe(true);
  await until("every action has ended", () => childrenOf(childrenOf(server.pid)[0] ?? 0).length === 0);
  tried(context, `${count(asks.length, "actions")} at once, 64 of them ran, and none was left`);
});

test("whatever a plugin writes without end is cut, memory stays as it was, and the server answers meanwhile", async (context) => {
  const [launcher = 0] = childrenOf(server.pid);
  const flood = async (): Promise<number> => {
    for (const [kind, reason] of Object.entries(floods)) {
      const { status, body } = await started.ask("acme-floods", "plan", kind);
      expect([status, body.detail], kind).toEqual([422, expect.stringMatching(reason)]);
      // A success between failures, so that the breaker stays closed.
      if (kind === "calls") expect((await started.ask("acme-floods", "health")).status).toBe(200);
    }
    expect((await started.ask("acme-floods", "health")).status).toBe(200);
    return Object.keys(floods).length;
  };
  let floodsRun = await flood();
  const before = [memoryOf(server.pid), memoryOf(launcher)];
  const beside = listenBeside();
  for (let round = 0; round < counts["83 floods"]; round += 1) floodsRun += await flood();
  const { asked, slowestMs } = await beside.end();
  const after = [memoryOf(server.pid), memoryOf(launcher)];
  expect(childrenOf(server.pid)).toEqual([launcher]);
  for (const [at, bytes] of after.entries()) expect(bytes - (before[at] ?? 0)).toBeLessThan(roomBytes);
  expect(asked).toBeGreaterThan(1);
  // What was cut is not kept either: a log line for each call of the log, and no more.
  expect(server.stdout().length).toBeLessThan(64 * 5_000 * floodsRun);
  tried(
    context,
    `${count(floodsRun, "floods")} of ${Object.keys(floods).length} kinds, ${count(asked, "questions")} of health beside them, slowest ${slowestMs.toFixed(0)} ms`,
  );
});

const roomBytes = 64 * 1024 * 1024;

function memoryOf(pid: number): number {
  return 1024 * Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? Number.NaN);
}

/** Asks for health, one question after the other, until it is ended. */
function listenBeside() {
  const over = new AbortController();
  const found = { asked: 0, slowestMs: 0 };
  const asking = (async () => {
    while (!over.signal.aborted) {
      const { body, raw } = await health();
      expect(body).toEqual({ status: "ok" });
      found.asked += 1;
      found.slowestMs = Math.max(found.slowestMs, raw.ms);
      await delay(20);
    }
  })();
  return {
    end: async () => {
      over.abort();
      await asking;
      return found;
    },
  };
}

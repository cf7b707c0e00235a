import { utimesSync } from "node:fs";
import { nodeVfs } from "@gatehouse/files";
import { newPrivateKey } from "@gatehouse/keys";
import { expect, onTestFinished } from "vitest";
import type { AgentPaths } from "../src/config.ts";
import { dialWebSocket } from "../src/control/dial.ts";
import { findReachFlaw } from "../src/control/find-reach-flaw.ts";
import { firstPauseMs } from "../src/control/retry.ts";
import { openRunAgent } from "../src/control/run-agent.ts";
import { openAskHelper } from "../src/local/ask-helper.ts";
import { keepNextChannelKey } from "../src/local/channel-key.ts";
import { makeHostIdentity } from "../src/local/host-key.ts";
import { putPinnedServer } from "../src/local/server-file.ts";
import { systemTimers } from "../src/host/timers.ts";
import { openMinuteBook } from "../src/measure/minute-book.ts";
import { openOutbox } from "../src/outbox/open-outbox.ts";
import { type ConnectionStatus, connectionStatusText, parseConnectionStatus } from "../src/status/connection-status.ts";
import type { TaskJudge } from "../src/tasks/task.ts";
import { greet, honestChallenge, type Peer, startControlServer } from "./fake-control-server.ts";
import { askWith, FakeChanges } from "./journal-answers.ts";
import { startHelper } from "./helper-process.ts";
import { makeHostDirectory } from "./host-directory.ts";
import { manualTimers } from "./manual-timers.ts";

/** An enrolled host whose agent runs against `url`, over a real socket, with its helper on another; the test moves time. */
export async function startAgentAt(
  url: string,
  before: (paths: AgentPaths, helper: Awaited<ReturnType<typeof startHelper>>) => Promise<void> = async () => undefined,
  judge?: TaskJudge,
  prepare: (changes: FakeChanges) => void = () => undefined,
) {
  const host = makeHostDirectory();
  const identity = await makeHostIdentity(host);
  const helper = await startHelper(host, {}, judge);
  await putPinnedServer(host, { url, key: honestChallenge.server });
  await (await keepNextChannelKey({ paths: host.paths, user: host.owner }, newPrivateKey())).take();
  const madeAt = helper.clock.now() / 1_000;
  utimesSync(host.paths.channelKey, madeAt, madeAt);
  await before(host.paths, helper);
  const timers = manualTimers();
  const changes = new FakeChanges();
  prepare(changes);
  const lines: string[] = [];
  const notes: ConnectionStatus[] = [];
  /** Set by a test: what the disk says to every note. */
  const disk: { flaw?: Error | undefined } = {};
  /** Minutes that a test puts into it, as if they were measured; whether the agent measures now. */
  const measuring = { ...openMinuteBook(), isOn: false };
  /** Bytes that wait to be sent, besides those that do. */
  const line = { waiting: 0 };
  const stop = new AbortController();
  const run = openRunAgent({
    user: host.owner,
    clock: helper.clock,
    timers,
    random: () => 0.5,
    dial: (...call) => {
      const dialled = dialWebSocket(...call);
      return { ...dialled, waiting: () => dialled.waiting() + line.waiting };
    },
    findReachFlaw,
    openOutbox: (directory) =>
      openOutbox({ vfs: nodeVfs, directory, log: (line) => void lines.push(line), now: () => helper.clock.now() }),
    openMeasuring: () => ({
      ...measuring,
      begin: () => void (measuring.isOn = true),
      end: () => void (measuring.isOn = false),
    }),
    openAsk: (socket) => askWith(changes, openAskHelper({ socket, timers: systemTimers })),
    log: (line) => void lines.push(line),
  });
  const done = run({
    paths: host.paths,
    version: "0.1.7",
    architecture: "x64",
    stop: stop.signal,
    noteStatus: async (status) => {
      if (disk.flaw !== undefined) throw disk.flaw;
      notes.push(parseConnectionStatus(new TextEncoder().encode(connectionStatusText(status))));
    },
  });
  onTestFinished(async () => {
    stop.abort();
    await done;
  });
  // Its outbox is open before it begins. Where the disk says nothing of it, the journal's next look may be waiting, too.
  await expect.poll(() => timers.running(), { interval: 2 }).toContain(firstMs);
  return { host, identity, helper, changes, timers, lines, notes, disk, measuring, line, stop, done };
}

/** The first attempt waits for nothing but the test. */
export const firstMs = firstPauseMs;

/** An agent that is connected with an honest server. */
export async function startConnected(after: (peer: Peer) => unknown = () => undefined, judge?: TaskJudge) {
  const server = await startControlServer(async (peer) => {
    await greet(peer);
    await after(peer);
  });
  const agent = await startAgentAt(server.url, undefined, judge);
  agent.timers.end(firstMs);
  await expect.poll(() => agent.lines).toContain("connected");
  return { ...agent, ...server, peer: server.peers[0] as Peer };
}

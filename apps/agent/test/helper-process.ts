import { connect, type Socket } from "node:net";
import { manualClock, openTurns } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import { onTestFinished } from "vitest";
import { answerVerb } from "../src/helper/helper-verbs.ts";
import type { HelperDeps } from "../src/helper/helper-deps.ts";
import { localLimits } from "../src/local/local-limits.ts";
import { openLocalMessages, packLocalMessage } from "../src/local/local-messages.ts";
import { openOwnFacts } from "../src/helper/own-facts.ts";
import { openHelperMinutes } from "../src/helper/sliding-minute.ts";
import { serveHelper } from "../src/helper/serve-helper.ts";
import { openAskHelper } from "../src/local/ask-helper.ts";
import { systemTimers } from "../src/host/timers.ts";
import { openArtifactInbox } from "../src/tasks/open-artifact-inbox.ts";
import { openInbox } from "../src/tasks/open-inbox.ts";
import { openTaskDesk } from "../src/tasks/open-task-desk.ts";
import type { Changes } from "../src/safety/open-changes.ts";
import { noChanges } from "./no-changes.ts";
import { refusingJudge } from "./fake-judge.ts";
import type { HostDirectory } from "./host-directory.ts";
import { manualTimers } from "./manual-timers.ts";

/** The helper on a real socket of this directory, with a clock and timers that the test moves. */
export async function startHelper(
  host: HostDirectory,
  more: Partial<HelperDeps> = {},
  judge = refusingJudge,
  changes: Changes = noChanges,
) {
  const clock = manualClock();
  const timers = manualTimers();
  const lines: string[] = [];
  const log = (line: string) => void lines.push(line);
  const minutes = openHelperMinutes(clock);
  const inTurn = openTurns();
  const inbox = openInbox({ timers, most: channelLimits.taskBytes });
  const artifacts = openArtifactInbox({ paths: host.paths, timers, log });
  onTestFinished(() => artifacts.close());
  const deps: HelperDeps = {
    paths: host.paths,
    owner: host.owner,
    clock,
    inTurn,
    readCeiling: () => ({ level: "monitor" }),
    readFacts: openOwnFacts({ root: host.root, agentVersion: "0.1.7", program: import.meta.filename }),
    readAddresses: () => ["192.0.2.1"],
    readStates: async () => [],
    readLogs: async () => ({ lines: [], cursors: [], more: [], lost: [], refused: [] }),
    readDrift: async () => ({ left: 0, number: 1, drift: { watched: 0, more: 0, parts: [] } }),
    tasks: openTaskDesk({ judge, changes, inbox, artifacts, inTurn, minutes, log }),
    changes,
    minutes,
    log,
    lastFacts: {},
    ...more,
  };
  const served = await serveHelper(
    {
      answer: (verb, fields) => answerVerb(deps, verb, fields),
      clock,
      timers,
      isBusy: () => changes.isBusy() || artifacts.isHolding(),
      log,
    },
    { path: host.paths.helperSocket },
  );
  onTestFinished(() => served.close());
  const ask = openAskHelper({ socket: host.paths.helperSocket, timers: systemTimers });
  return { clock, timers, lines, deps, served, ask };
}

/** A peer that writes what it likes and reads what comes. */
export async function connectPeer(path: string) {
  const socket: Socket = connect({ path });
  onTestFinished(() => void socket.destroy());
  await new Promise<void>((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  const reader = openLocalMessages(localLimits.answerBytes);
  const answers: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  let isClosed = false;
  const wake = () => waiting.splice(0).forEach((each) => each());
  socket.on("data", (chunk: Buffer) => {
    for (const each of reader.push(chunk)) answers.push(JSON.parse(Buffer.from(each).toString("utf8")));
    wake();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isClosed = true;
    wake();
  });
  const until = async (fits: () => boolean) => {
    while (!fits()) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  return {
    socket,
    answers,
    send: (value: unknown) => socket.write(packLocalMessage(value)),
    raw: (bytes: Uint8Array) => socket.write(bytes),
    /** The answers, once there are so many. */
    received: async (count: number) => {
      await until(() => answers.length >= count || isClosed);
      return answers;
    },
    closed: () => until(() => isClosed),
  };
}

import { existsSync } from "node:fs";
import { openTurns, systemClock } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import { nodeVfs as vfs } from "@gatehouse/files";
import { readCeiling } from "../../apps/agent/src/ceiling/read-ceiling.ts";
import { agentMadeAt } from "../../apps/agent/src/commands/agent-version.ts";
import { composeChanges } from "../../apps/agent/src/compose-changes.ts";
import { agentPaths } from "../../apps/agent/src/config.ts";
import { dialWebSocket } from "../../apps/agent/src/control/dial.ts";
import { findReachFlaw } from "../../apps/agent/src/control/find-reach-flaw.ts";
import { openRunAgent } from "../../apps/agent/src/control/run-agent.ts";
import { answerVerb } from "../../apps/agent/src/helper/helper-verbs.ts";
import type { HelperDeps } from "../../apps/agent/src/helper/helper-deps.ts";
import { lazyChanges } from "../../apps/agent/src/helper/lazy-changes.ts";
import { openOwnFacts, ownAddresses } from "../../apps/agent/src/helper/own-facts.ts";
import { serveHelper } from "../../apps/agent/src/helper/serve-helper.ts";
import { openHelperMinutes } from "../../apps/agent/src/helper/sliding-minute.ts";
import { rootOwner } from "../../apps/agent/src/host/need-root.ts";
import { putFile } from "../../apps/agent/src/host/put-file.ts";
import { readNoLines } from "../../apps/agent/src/host/read-lines-on-host.ts";
import { runNothing } from "../../apps/agent/src/host/run-on-host.ts";
import { stopSignal } from "../../apps/agent/src/host/stop-signal.ts";
import { systemTimers, type Timers } from "../../apps/agent/src/host/timers.ts";
import { openAskHelper } from "../../apps/agent/src/local/ask-helper.ts";
import { openMeasuring } from "../../apps/agent/src/measure/measure-minutes.ts";
import { askKernelOfDisk } from "../../apps/agent/src/measure/read-disk.ts";
import { openHostReader, readUptimeMs } from "../../apps/agent/src/measure/read-host.ts";
import { findUptime } from "../../apps/agent/src/local/uptime.ts";
import { openSentLogs } from "../../apps/agent/src/operations/read-sent-logs.ts";
import { readStates } from "../../apps/agent/src/operations/read-states.ts";
import { openOutbox } from "../../apps/agent/src/outbox/open-outbox.ts";
import { changeWork } from "../../apps/agent/src/safety/change-work.ts";
import { openChanges } from "../../apps/agent/src/safety/open-changes.ts";
import { connectionStatusText } from "../../apps/agent/src/status/connection-status.ts";
import { openArtifactInbox } from "../../apps/agent/src/tasks/open-artifact-inbox.ts";
import { getReleaseKeys, testReleaseKey } from "../../apps/agent/src/trust/release-keys.ts";
import { openTaskJudge } from "../../apps/agent/src/tasks/judge-task.ts";
import { openInbox } from "../../apps/agent/src/tasks/open-inbox.ts";
import { openTaskDesk } from "../../apps/agent/src/tasks/open-task-desk.ts";
import { innerDoor } from "./helper-recorder.ts";
import { plantedAnswer, plantedDial } from "./plants.ts";

/**
 * Both parts of the agent from their sources, composed as the program composes them, but for three things: between two attempts there is no
 * pause, questions about the host and changes are not counted, and with `planted` both have what no agent may have. Started by the suite with the root of a host.
 */
const [root = "", form] = process.argv.slice(2);
const isPlanted = form === "planted";
const version = "0.0.0";
const paths = agentPaths(root);
const owner = rootOwner(root);

let isLost = false;
const log = (line: string) => {
  // The line comes right before the pause that it announces.
  if (line.startsWith("not connected: ")) isLost = true;
  process.stdout.write(`${JSON.stringify(line)}\n`);
};
const hurried: Timers = {
  after: (ms, act) => {
    const pause = isLost ? 0 : ms;
    isLost = false;
    return systemTimers.after(pause, act);
  },
};

const ceilingNow = () => readCeiling(paths.ceiling, owner).ceiling;
const minutes = {
  states: { take: () => true },
  tasks: { take: () => true },
  heads: { take: () => true },
  taskLines: openHelperMinutes(systemClock).taskLines,
};
const inTurn = openTurns();
const inbox = openInbox({ timers: systemTimers, most: channelLimits.taskBytes });
const artifacts = openArtifactInbox({ paths, timers: systemTimers, log });
const statesNow: HelperDeps["readStates"] = (question) =>
  readStates({ root, run: runNothing, clock: systemClock, readCeiling: ceilingNow }, question);
const changes = lazyChanges({
  hasJournal: () => existsSync(paths.journal),
  load: async () => {
    const deps = composeChanges(root, log);
    return openChanges({ ...deps, readCeiling: ceilingNow, work: changeWork, onBroken: () => process.exit(1) });
  },
});
const judge = openTaskJudge({
  paths,
  owner,
  clock: systemClock,
  findUptime: () => findUptime(root),
  madeAt: agentMadeAt,
  readCeiling: ceilingNow,
  readStates: statesNow,
  findTaken: (task) => changes.find(task),
  running: { version, architecture: process.arch },
  release: { getKeys: () => getReleaseKeys({ text: testReleaseKey, isTestBuild: true }), floor: "0.0.0" },
});
const helperDeps: HelperDeps = {
  paths,
  owner,
  clock: systemClock,
  inTurn,
  readCeiling: ceilingNow,
  readFacts: openOwnFacts({ root, agentVersion: version, program: import.meta.filename }),
  readAddresses: ownAddresses,
  readStates: statesNow,
  readLogs: openSentLogs({ root, readLines: readNoLines, clock: systemClock, readCeiling: ceilingNow }),
  tasks: openTaskDesk({ judge, changes, inbox, artifacts, inTurn, minutes, log }),
  changes,
  minutes,
  log,
  lastFacts: {},
};
const answer = (verb: string, fields: Parameters<typeof answerVerb>[2]) => answerVerb(helperDeps, verb, fields);
const helper = await serveHelper(
  {
    answer: isPlanted ? plantedAnswer(answer, paths) : answer,
    clock: systemClock,
    timers: systemTimers,
    isBusy: () => changes.isBusy(),
    log,
  },
  { path: innerDoor(paths) },
);

const ask = openAskHelper({ socket: paths.helperSocket, timers: systemTimers });
const runAgent = openRunAgent({
  user: owner,
  clock: systemClock,
  timers: hurried,
  random: () => 0,
  dial: isPlanted ? plantedDial(dialWebSocket, { paths, ask }) : dialWebSocket,
  findReachFlaw,
  openOutbox: (directory) => openOutbox({ vfs, directory, log, now: () => systemClock.now() }),
  openMeasuring: () =>
    openMeasuring({
      clock: systemClock,
      timers: systemTimers,
      readHost: openHostReader({ root, clock: systemClock, timers: systemTimers, askDisk: askKernelOfDisk }),
      uptimeMs: () => readUptimeMs(root),
    }),
  openAsk: () => ask,
  log,
});
await runAgent({
  paths,
  version,
  architecture: process.arch,
  stop: stopSignal(),
  noteStatus: (status) => putFile(paths.status, connectionStatusText(status), 0o600),
});
helper.close();
await helper.done;
inbox.clear();

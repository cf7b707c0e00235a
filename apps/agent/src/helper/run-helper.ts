import { openTurns, systemClock } from "@gatehouse/base";
import { channelLimits } from "@gatehouse/channel";
import type { Report } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract/faults";
import type { AgentPaths } from "../config.ts";
import { systemTimers } from "../host/timers.ts";
import { openArtifactInbox } from "../tasks/open-artifact-inbox.ts";
import { openInbox } from "../tasks/open-inbox.ts";
import { openTaskDesk } from "../tasks/open-task-desk.ts";
import type { Changes } from "../safety/open-changes.ts";
import type { TaskJudge } from "../tasks/task.ts";
import type { HelperDeps, ReadDrift, ReadLogs, ReadStates } from "./helper-deps.ts";
import { answerVerb } from "./helper-verbs.ts";
import { openOwnFacts, ownAddresses } from "./own-facts.ts";
import { serveHelper } from "./serve-helper.ts";
import { openHelperMinutes } from "./sliding-minute.ts";

export interface RunHelperDeps {
  readonly paths: AgentPaths;
  readonly owner: number;
  readonly agentVersion: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly readCeiling: HelperDeps["readCeiling"];
  readonly readStates: ReadStates;
  readonly readLogs: ReadLogs;
  readonly readDrift: ReadDrift;
  /** What makes changes; it calls back when only a new start of the process can go on. */
  readonly openChanges: (onBroken: (error: unknown) => void) => Changes;
  readonly openJudge: (changes: Changes) => TaskJudge;
  readonly log: (line: string) => void;
}

/** The first descriptor that systemd hands over. */
const firstDescriptor = 3;

/** The root part: answers on the socket that systemd has opened, and ends when nobody asks. */
export async function runHelper(deps: RunHelperDeps): Promise<Report> {
  const { paths, owner, agentVersion, environment, readCeiling, readStates, readLogs, readDrift, log } = deps;
  if (environment["LISTEN_FDS"] !== "1") {
    throw fault("local.unavailable", "systemd has handed over no socket: LISTEN_FDS is not 1");
  }
  const minutes = openHelperMinutes(systemClock);
  const inTurn = openTurns();
  const inbox = openInbox({ timers: systemTimers, most: channelLimits.taskBytes });
  const artifacts = openArtifactInbox({ paths, timers: systemTimers, log });
  const broken: unknown[] = [];
  const changes = deps.openChanges((error) => {
    broken.push(error);
    served.close();
  });
  const judge = deps.openJudge(changes);
  const verbDeps: HelperDeps = {
    paths,
    owner,
    clock: systemClock,
    inTurn,
    readCeiling,
    readFacts: openOwnFacts({ root: paths.root, agentVersion, program: "/proc/self/exe" }),
    readAddresses: ownAddresses,
    readStates,
    readLogs,
    readDrift,
    tasks: openTaskDesk({ judge, changes, inbox, artifacts, inTurn, minutes, log }),
    changes,
    minutes,
    log,
    lastFacts: {},
  };
  await artifacts.sweep();
  const served = await serveHelper(
    {
      answer: (verb, fields) => answerVerb(verbDeps, verb, fields),
      clock: systemClock,
      timers: systemTimers,
      // What has come of an artifact is lost with this process: whoever brings it may be slow.
      isBusy: () => changes.isBusy() || artifacts.isHolding(),
      log,
    },
    { fd: firstDescriptor },
  );
  await changes.resume();
  process.once("SIGTERM", () => served.close());
  await served.done;
  // Its timer would keep the process for minutes in which nobody is heard.
  inbox.clear();
  await artifacts.close();
  if (broken.length > 0) throw broken[0];
  return { ok: true, lines: ["Nobody has asked for a while."], json: {} };
}

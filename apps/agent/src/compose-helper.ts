import { existsSync } from "node:fs";
import { systemClock } from "@gatehouse/base";
import { agentMadeAt, agentVersion, isTestBuild, releaseFloor, releaseKeyText } from "./commands/agent-version.ts";
import { agentPaths } from "./config.ts";
import type { ReadLogs, ReadStates } from "./helper/helper-deps.ts";
import { rootOwner } from "./host/need-root.ts";
import type { SentLogsDeps } from "./operations/read-sent-logs.ts";
import type { TaskJudge } from "./tasks/task.ts";

/** Runs the helper. Each of its parts is loaded when something is first asked of it. */
export async function composeHelper(root: string, log: (line: string) => void) {
  const { runHelper } = await import("./helper/run-helper.ts");
  const { lazyChanges } = await import("./helper/lazy-changes.ts");
  const { readCeiling } = await import("./ceiling/read-ceiling.ts");
  const paths = agentPaths(root);
  const owner = rootOwner(root);
  const ceilingNow = () => readCeiling(paths.ceiling, owner).ceiling;
  const statesNow: ReadStates = async (question) => {
    // Plans and their schemas are loaded for those hosts alone whose state is asked for.
    const { readStates } = await import("./operations/read-states.ts");
    const { runOnHost, runNothing } = await import("./host/run-on-host.ts");
    // The programs of this host know the real one alone: under another directory they would tell of something else.
    const run = root === "/" ? runOnHost : runNothing;
    return readStates({ root, run, clock: systemClock, readCeiling: ceilingNow }, question);
  };
  return runHelper({
    paths,
    owner,
    agentVersion,
    environment: process.env,
    readCeiling: ceilingNow,
    readStates: statesNow,
    readLogs: lazySentLogs(root, ceilingNow),
    readDrift: async (question) => {
      const { readDrift } = await import("./safety/read-drift.ts");
      const { runOnHost, runNothing } = await import("./host/run-on-host.ts");
      const run = root === "/" ? runOnHost : runNothing;
      return readDrift({ paths, owner, run, clock: systemClock, readCeiling: ceilingNow }, question);
    },
    openChanges: (onBroken) =>
      lazyChanges({
        hasJournal: () => existsSync(paths.journal),
        load: async () => {
          const { composeChanges } = await import("./compose-changes.ts");
          const { openChanges } = await import("./safety/open-changes.ts");
          const { changeWork } = await import("./safety/change-work.ts");
          const deps = composeChanges(root, log);
          return openChanges({ ...deps, readCeiling: ceilingNow, work: changeWork, onBroken });
        },
      }),
    openJudge: (changes) =>
      lazyTaskJudge(async () => {
        // As above: hosts that are sent no change load nothing of what judges one.
        const { openTaskJudge } = await import("./tasks/judge-task.ts");
        const { findUptime } = await import("./local/uptime.ts");
        const { getReleaseKeys } = await import("./trust/release-keys.ts");
        return openTaskJudge({
          paths,
          owner,
          clock: systemClock,
          findUptime: () => findUptime(root),
          madeAt: agentMadeAt,
          readCeiling: ceilingNow,
          readStates: statesNow,
          findTaken: (task) => changes.find(task),
          running: { version: agentVersion, architecture: process.arch },
          release: {
            getKeys: () => getReleaseKeys({ text: releaseKeyText, isTestBuild }),
            floor: releaseFloor,
          },
        });
      }),
    log: log,
  });
}

/** What reads logs is loaded on those hosts alone that send some. */
function lazySentLogs(root: string, readCeiling: SentLogsDeps["readCeiling"]): ReadLogs {
  let loaded: Promise<ReadLogs> | undefined;
  const load = async () => {
    const { openSentLogs } = await import("./operations/read-sent-logs.ts");
    const { readLinesOnHost, readNoLines } = await import("./host/read-lines-on-host.ts");
    // As above: the journal is that of the real host.
    return openSentLogs({
      root,
      readLines: root === "/" ? readLinesOnHost : readNoLines,
      clock: systemClock,
      readCeiling,
    });
  };
  return async (question) => (await (loaded ??= load()))(question);
}

/** A judge that is loaded with the first change, and then stays. */
function lazyTaskJudge(load: () => Promise<TaskJudge>): TaskJudge {
  let loaded: Promise<TaskJudge> | undefined;
  const judge = () => (loaded ??= load());
  return { admit: async (task) => (await judge()).admit(task), judge: async (task) => (await judge()).judge(task) };
}

import { systemClock } from "@gatehouse/base";
import { inert } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract/faults";
import { agentMadeAt, agentVersion, isCompiled, isTestBuild } from "./commands/agent-version.ts";
import type { AgentVerbs } from "./commands/verbs.ts";
import { composeHelper } from "./compose-helper.ts";
import { agentPaths } from "./config.ts";
import { openScreen } from "./host/open-screen.ts";
import { needRoot, rootOwner } from "./host/need-root.ts";
import type { NetworkParts } from "./parts.ts";

/** The parts that speak with a server, loaded when their verb is asked for. One that is absent makes its verb refuse. */
const networkParts: NetworkParts = {
  enrolHost: async () => {
    const { openEnrolHost } = await import("./enrol/enrol-host.ts");
    const { runAsAgent } = await import("./host/run-as-agent.ts");
    return openEnrolHost({ clock: systemClock, runAsAgent });
  },
  runAgent: async () => {
    const { openRunAgent } = await import("./control/run-agent.ts");
    const { dialWebSocket } = await import("./control/dial.ts");
    const { findReachFlaw } = await import("./control/find-reach-flaw.ts");
    const { openAskHelper } = await import("./local/ask-helper.ts");
    const { systemTimers: timers } = await import("./host/timers.ts");
    const { openOutbox } = await import("./outbox/open-outbox.ts");
    const { nodeVfs: vfs } = await import("@gatehouse/files");
    const { openMeasuring } = await import("./measure/measure-minutes.ts");
    const { askKernelOfDisk } = await import("./measure/read-disk.ts");
    const { openHostReader, readUptimeMs } = await import("./measure/read-host.ts");
    const clock = systemClock;
    return openRunAgent({
      user: process.getuid?.() ?? 0,
      clock,
      timers,
      random: Math.random,
      dial: dialWebSocket,
      findReachFlaw,
      openOutbox: (directory) => openOutbox({ vfs, directory, log: logLine, now: () => clock.now() }),
      openMeasuring: (root) =>
        openMeasuring({
          clock,
          timers,
          readHost: openHostReader({ root, clock, timers, askDisk: askKernelOfDisk }),
          uptimeMs: () => readUptimeMs(root),
        }),
      openAsk: (socket) => openAskHelper({ socket, timers }),
      log: logLine,
    });
  },
  checkReach: async () => (await import("./control/check-reach.ts")).checkReach,
};

/** The only file that builds things. Every verb loads its own part, so that none pays for another at its start. */
export function composeVerbs(parts: NetworkParts = networkParts): AgentVerbs {
  return {
    run: async ({ root }) => {
      const runAgent = await joined(parts.runAgent, "network part");
      const { stopSignal } = await import("./host/stop-signal.ts");
      const { nodeVfs } = await import("@gatehouse/files");
      const { putStatus } = await import("./status/put-status.ts");
      const paths = agentPaths(root);
      await runAgent({
        paths,
        version: agentVersion,
        architecture: process.arch,
        stop: stopSignal(),
        noteStatus: (status) => putStatus(nodeVfs, paths.status, status),
      });
      return { ok: true, lines: ["The agent has stopped."], json: {} };
    },

    helper: ({ root }) => composeHelper(root, logLine),

    explain: async ({ root, bytes }) => {
      const { explainPlan } = await import("./operations/explain-plan.ts");
      const { snapshots, tables, wireguard } = agentPaths(root);
      return explainPlan(bytes, { directory: `${snapshots}/TASK`, tables, wireguard });
    },

    enrol: async ({ root, code, newIdentity, ca }) => {
      needRoot(root, "enrolment");
      const enrolHost = await joined(parts.enrolHost, "enrolment");
      if (!isCompiled) throw fault("agent.not_installed_here", "enrol installs the file that runs, and this is Node");
      // A code that cannot be used is told before anything is installed.
      const { readUsableCode } = await import("./enrol/read-code.ts");
      readUsableCode(code, systemClock.now());
      const { readAuthority } = await import("./host/read-authority.ts");
      const authority = ca === undefined ? {} : { ca: readAuthority(ca) };
      const { needFitHost } = await import("./host/check-host.ts");
      const { installAgent, startAgent } = await import("./host/install-agent.ts");
      const { runOnHost: run } = await import("./host/run-on-host.ts");
      const paths = agentPaths(root);
      const checks = await needFitHost(run);
      const { readCeiling } = await import("./ceiling/read-ceiling.ts");
      const { writeDropIn } = await import("./ceiling/set-ceiling.ts");
      const { ceiling, isWritten } = readCeiling(paths.ceiling, rootOwner(root));
      if (isWritten) await writeDropIn(paths, ceiling);
      const needNoOpenChange = await openChangeRefusal(root);
      const installed = await installAgent({ paths, run, self: "/proc/self/exe", needNoOpenChange });
      const architecture = process.arch;
      const host = await enrolHost({
        paths,
        run,
        code,
        newIdentity,
        ...authority,
        version: agentVersion,
        architecture,
      });
      await startAgent(run);
      return {
        ok: true,
        lines: [
          `This host is enrolled with ${host.server} as ${host.nodeId}.`,
          `Compare with the dashboard: ${host.nodeId.slice(-8)}, ${host.words.join(" ")}`,
          ...installed,
          ...checks.filter(({ verdict }) => verdict === "missing").map(({ found, todo }) => `${found}. ${todo}`),
        ],
        json: { nodeId: host.nodeId, server: host.server, words: [...host.words] },
      };
    },

    exchange: async ({ root }) => {
      const { runExchange } = await import("./enrol/run-exchange.ts");
      return runExchange({ paths: agentPaths(root), owner: rootOwner(root), agentVersion, input: process.stdin });
    },

    status: async ({ root }) => {
      const { readLocalState } = await import("./status/read-local.ts");
      const { statusReport } = await import("./status/status-report.ts");
      const { unitNames } = await import("./host/unit-files.ts");
      const { findUnitStates } = await import("./host/systemd.ts");
      const { runOnHost } = await import("./host/run-on-host.ts");
      const local = readLocalState(agentPaths(root), rootOwner(root));
      const units = root === "/" ? await findUnitStates(runOnHost, Object.values(unitNames)) : undefined;
      const { readChangeStatus } = await import("./status/change-status.ts");
      const change = await readChangeStatus({
        isRoot: process.getuid?.() === rootOwner(root),
        journal: agentPaths(root).journal,
        load: async () => (await import("./compose-changes.ts")).composeChanges(root, logLine),
      });
      return statusReport({ version: agentVersion, isTestBuild, local, units, change });
    },

    doctor: async ({ root }) => {
      const { examineHost } = await import("./status/examine-host.ts");
      const { doctorReport } = await import("./status/doctor-report.ts");
      const { runOnHost: run } = await import("./host/run-on-host.ts");
      const checkReach = await parts.checkReach?.();
      const deps = { paths: agentPaths(root), owner: rootOwner(root), run, version: agentVersion, isTestBuild };
      return doctorReport(await examineHost(checkReach === undefined ? deps : { ...deps, checkReach }));
    },

    showCeiling: async ({ root }) => {
      const { readCeiling } = await import("./ceiling/read-ceiling.ts");
      const { ceilingReport } = await import("./ceiling/ceiling-report.ts");
      const { openedDirectories } = await import("./ceiling/set-ceiling.ts");
      const { findTrust } = await import("./trust/read-trust.ts");
      const [paths, owner] = [agentPaths(root), rootOwner(root)];
      const { ceiling, isWritten } = readCeiling(paths.ceiling, owner);
      const first = isWritten ? [] : ["Root of this host has not set a ceiling."];
      const shown = { ceiling, opened: openedDirectories(paths, ceiling), trust: findTrust({ paths, owner }) };
      return ceilingReport(shown, first);
    },

    setCeiling: async ({ root, approvers, ...wanted }) => {
      needRoot(root, "the ceiling");
      // What an open change was judged by stays as it is until that has ended.
      await (await openChangeRefusal(root))();
      const { openedDirectories, setCeiling } = await import("./ceiling/set-ceiling.ts");
      const { ceilingReport } = await import("./ceiling/ceiling-report.ts");
      const { findTrust } = await import("./trust/read-trust.ts");
      const { nameApprovers } = await import("./trust/name-approvers.ts");
      const place = { paths: agentPaths(root), owner: rootOwner(root) };
      const naming = { place, ...(await confirming()) };
      const reload = await reloader(root);
      const asked = approvers === undefined ? {} : { nameApprovers: () => nameApprovers(naming, approvers) };
      const ceiling = await setCeiling({ ...place, reload, ...asked }, wanted);
      const shown = { ceiling, opened: openedDirectories(place.paths, ceiling), trust: findTrust(place) };
      return ceilingReport(shown, ["The ceiling is set."]);
    },

    showTrust: async ({ root }) => {
      const { findAccepts } = await import("./ceiling/read-ceiling.ts");
      const { findTrust } = await import("./trust/read-trust.ts");
      const { trustReport } = await import("./trust/trust-report.ts");
      const place = { paths: agentPaths(root), owner: rootOwner(root) };
      return trustReport({ accepts: findAccepts(place), found: findTrust(place) });
    },

    resetTrust: async ({ root, approvers }) => {
      needRoot(root, "the trust file");
      // What an open change was judged by stays as it is until that has ended.
      await (await openChangeRefusal(root))();
      const { findAccepts } = await import("./ceiling/read-ceiling.ts");
      const { findTrust } = await import("./trust/read-trust.ts");
      const { resetTrust } = await import("./trust/reset-trust.ts");
      const { resetReport } = await import("./trust/trust-report.ts");
      const place = { paths: agentPaths(root), owner: rootOwner(root) };
      const deps = { place, now: () => systemClock.now(), ...(await confirming()) };
      const earlier = await resetTrust(deps, approvers);
      return resetReport(earlier, { accepts: findAccepts(place), found: findTrust(place) });
    },

    resetClock: async ({ root }) => {
      needRoot(root, "the time that this host is sure of");
      const { resetClock } = await import("./tasks/reset-clock.ts");
      const { findUptime } = await import("./local/uptime.ts");
      return resetClock({
        paths: agentPaths(root),
        owner: rootOwner(root),
        clock: systemClock,
        findUptime: () => findUptime(root),
        madeAt: agentMadeAt,
      });
    },

    showWitness: async ({ root }) => {
      needRoot(root, "what is kept of the log of the server");
      const { showWitness } = await import("./witness/show-witness.ts");
      return showWitness({ paths: agentPaths(root), owner: rootOwner(root) });
    },

    acceptHistory: async ({ root, isSure }) => {
      needRoot(root, "what this host believes of the log");
      const { acceptHistory } = await import("./witness/accept-history.ts");
      const place = { paths: agentPaths(root), owner: rootOwner(root) };
      return acceptHistory({ place, clock: systemClock, isSure, ...(await confirming()) });
    },

    rollback: async ({ root }) => {
      needRoot(root, "taking a change back");
      const { composeChanges } = await import("./compose-changes.ts");
      const { rollbackChange } = await import("./safety/rollback-change.ts");
      const { systemTimers } = await import("./host/timers.ts");
      const pause = (ms: number) => new Promise<void>((done) => void systemTimers.after(ms, done));
      return rollbackChange({ ...composeChanges(root, logLine), pause });
    },

    boot: async ({ root }) => {
      needRoot(root, "what is done at the start of this host");
      const { composeChanges } = await import("./compose-changes.ts");
      const { bootHost } = await import("./safety/boot-host.ts");
      return bootHost(composeChanges(root, logLine, "go on without the lock"));
    },

    checkDeadman: async ({ root, task }) => {
      needRoot(root, "taking a change back");
      const { composeChanges } = await import("./compose-changes.ts");
      const { checkDeadman } = await import("./safety/run-deadman.ts");
      return checkDeadman(composeChanges(root, logLine), task);
    },

    runDeadman: async ({ root, task }) => {
      needRoot(root, "taking a change back");
      const { composeChanges } = await import("./compose-changes.ts");
      const { runDeadman } = await import("./safety/run-deadman.ts");
      return runDeadman(composeChanges(root, logLine, "go on without the lock"), task);
    },

    uninstall: async ({ root, purge, dryRun }) => {
      if (!dryRun) needRoot(root, "removing the agent");
      const { planUninstall, uninstallAgent } = await import("./host/uninstall-agent.ts");
      const { uninstallReport } = await import("./host/uninstall-report.ts");
      const { runOnHost } = await import("./host/run-on-host.ts");
      const paths = agentPaths(root);
      const plan = planUninstall(paths, purge);
      const needNoOpenChange = await openChangeRefusal(root);
      if (!dryRun) await uninstallAgent(plan, { paths, needNoOpenChange, ...(root === "/" ? { run: runOnHost } : {}) });
      return uninstallReport(plan, dryRun);
    },
  };
}

/** Asked for first: a verb without its part has done nothing when it refuses. */
async function joined<Part>(load: (() => Promise<Part>) | undefined, what: string): Promise<Part> {
  return load === undefined ? refuse(what) : load();
}

function refuse(what: string): Promise<never> {
  return Promise.reject(fault("agent.part_missing", `this version has no ${what}`));
}

/** One line for the journal, whatever somebody else's words are in it. */
function logLine(line: string): void {
  openScreen(2).write(`${inert(line)}\n`);
}

/** Root reads and types on the terminal; what is printed for other programs stays as it is. */
async function confirming() {
  const { findPerson } = await import("./host/ask-person.ts");
  return { show: logLine, askPerson: findPerson() };
}

/** Refuses with `slot.busy` while a change of this host is open. */
async function openChangeRefusal(root: string): Promise<() => Promise<void>> {
  const { composeChanges } = await import("./compose-changes.ts");
  const { needNoOpenChange } = await import("./safety/need-no-open-change.ts");
  return () => needNoOpenChange(composeChanges(root, logLine));
}

/** systemd knows the real host alone: under another directory there is nothing to tell it. */
async function reloader(root: string): Promise<() => Promise<void>> {
  if (root !== "/") return async () => undefined;
  const { reloadHelper } = await import("./host/systemd.ts");
  const { runOnHost } = await import("./host/run-on-host.ts");
  return () => reloadHelper(runOnHost);
}

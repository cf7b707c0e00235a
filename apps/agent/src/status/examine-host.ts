import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { count } from "@gatehouse/command-line";
import { isFault } from "@gatehouse/contract/faults";
import { acceptsWords } from "../ceiling/describe-ceiling.ts";
import { findAccepts, readCeiling } from "../ceiling/read-ceiling.ts";
import { testBuildWords } from "../commands/agent-version.ts";
import type { AgentPaths } from "../config.ts";
import { checkHost } from "../host/check-host.ts";
import { findRefusedVariables } from "../host/refuse-environment.ts";
import type { RunOnHost } from "../host/run-on-host.ts";
import { findUnitStates } from "../host/systemd.ts";
import { unitFiles, unitNames } from "../host/unit-files.ts";
import type { CheckReach } from "../parts.ts";
import { findTrust, readTrust } from "../trust/read-trust.ts";
import { examineRescue } from "./examine-rescue.ts";
import { examineWireguard } from "./examine-wireguard.ts";
import { badFinding, enrolAgain, type Finding, goodFinding, notedFinding } from "./finding.ts";
import { findKnownServer } from "./known-server.ts";
import { needRoom } from "./need-room.ts";

export interface ExamineDeps {
  readonly paths: AgentPaths;
  readonly owner: number;
  readonly run: RunOnHost;
  readonly version: string;
  /** A build for tests alone. */
  readonly isTestBuild: boolean;
  /** The way to the server is looked at by the part that speaks with it. */
  readonly checkReach?: CheckReach;
}

/** Everything that keeps an agent from working, as far as this host can tell. Reads only. */
export async function examineHost(deps: ExamineDeps): Promise<Finding[]> {
  const verdicts = { good: "good", missing: "note", unfit: "bad" } as const;
  const host = (await checkHost(deps.run)).map((check) => ({ ...check, verdict: verdicts[check.verdict] }));
  return [
    ...host,
    await examineProgram(deps),
    ...examineBuild(deps),
    await examineRescue(deps.paths, deps.owner),
    ...examineUnitFiles(deps),
    ...(await examineUnits(deps)),
    ...examineFiles(deps),
    ...(await examineWireguard(deps)),
    await examineEnvironment(deps),
    await examineClock(deps),
    ...(await examineReach(deps)),
  ];
}

async function examineProgram({ paths, owner, run, version }: ExamineDeps): Promise<Finding> {
  const found = lstatSync(paths.binary, { throwIfNoEntry: false });
  if (found === undefined) return badFinding("program", `${paths.binary} is not there`, enrolAgain);
  if (!found.isFile() || found.uid !== owner || (found.mode & 0o022) !== 0) {
    return badFinding("program", `${paths.binary} could have been written by others than root`, enrolAgain);
  }
  const { stdout } = await run(paths.binary, ["--version"]);
  const installed = /^gatehouse-agent (\S+)/.exec(stdout)?.[1];
  if (installed === undefined) return badFinding("program", `${paths.binary} does not start`, enrolAgain);
  if (installed !== version)
    return notedFinding(
      "program",
      `${installed} is installed, this is ${version}`,
      "Use the installed one, or enrol with this one to install it.",
    );
  return goodFinding("program", `${paths.binary} is ${installed}`);
}

function examineBuild({ isTestBuild }: ExamineDeps): Finding[] {
  return isTestBuild ? [notedFinding("build", testBuildWords, "Enrol with a released agent to install that one.")] : [];
}

function examineUnitFiles({ paths }: ExamineDeps): Finding[] {
  return Object.entries(unitFiles).map(([name, text]) => {
    const path = join(paths.units, name);
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined)
      return badFinding(name, `${path} is not there`, enrolAgain);
    if (readFileSync(path, "utf8") === text) return goodFinding(name, `${path} is as this version writes it`);
    return badFinding(
      name,
      `${path} is not as this version writes it`,
      `${enrolAgain} Changes of yours belong into a drop-in.`,
    );
  });
}

async function examineUnits({ run }: ExamineDeps): Promise<Finding[]> {
  const states = await findUnitStates(run, [unitNames.agent, unitNames.socket, unitNames.boot]);
  if (states === undefined)
    return [badFinding("units", "systemd does not answer", "The agent needs systemd as the first process.")];
  return states.map(({ unit, active, sub, restarts, enabled }) => {
    // It runs before the host has a network, once: until then there is nothing to see but that it will.
    if (unit === unitNames.boot) {
      if (enabled === "enabled" && active !== "failed") return goodFinding(unit, `${unit} runs at every boot`);
      return badFinding(
        unit,
        `${unit} is ${enabled || "not enabled"}, ${active}`,
        `${enrolAgain} See also: journalctl -u ${unit}`,
      );
    }
    const found = `${unit} is ${active} (${sub}), restarted ${restarts} times`;
    if (active === "active") return goodFinding(unit, found);
    return badFinding(unit, found, `See why: journalctl -u ${unit} -n 50; then: systemctl restart ${unit}`);
  });
}

/** What only root may have written is checked by reading it as the agent does. */
function examineFiles({ paths, owner }: ExamineDeps): Finding[] {
  const soundly = (name: string, read: () => string): Finding => {
    try {
      return goodFinding(name, read());
    } catch (error) {
      if (!isFault(error)) throw error;
      return badFinding(name, `${error.code}: ${error.detail}`, error.todo ?? "");
    }
  };
  const server = soundly("server", () => {
    const known = findKnownServer(paths.server, owner);
    return known === undefined ? "this host is not enrolled" : `enrolled with ${known.url}`;
  });
  return [
    server.found === "this host is not enrolled" ? badFinding("server", server.found, enrolAgain) : server,
    soundly("ceiling", () => {
      const { ceiling, isWritten } = readCeiling(paths.ceiling, owner);
      return isWritten ? `the ceiling is ${ceiling.level}` : "no ceiling is set, which is monitor";
    }),
    examineTrust({ paths, owner }, soundly),
    soundly("disk", () => {
      const free = needRoom(paths.networkState);
      return free === undefined ? "there is no state yet" : `${free} bytes are free for what waits to be sent`;
    }),
    ...[paths.hostKey, paths.channelKey].flatMap((path) => examineKey(path, paths, owner)),
  ];
}

/** Whose word counts: on a host that asks approvers, the file that names them has to be sound. */
function examineTrust(
  place: Pick<ExamineDeps, "paths" | "owner">,
  soundly: (name: string, read: () => string) => Finding,
): Finding {
  const accepts = findAccepts(place);
  if (accepts === "server") {
    return notedFinding(
      "trust",
      acceptsWords.server,
      "Name approvers with `gatehouse-agent ceiling set managed … --approver`.",
    );
  }
  return soundly("trust", () => {
    const isNeeded = accepts === "signed" || findTrust(place).t !== "none";
    if (!isNeeded) return "nobody is named who approves changes, and so none is taken";
    const { persons, epoch } = readTrust(place);
    const named = `the trust file of epoch ${epoch} names ${count(persons.length, "approver")}`;
    return accepts === "none" ? `${named}, and the ceiling does not ask for it` : named;
  });
}

function examineKey(path: string, paths: AgentPaths, owner: number): Finding[] {
  const name = path === paths.hostKey ? "host key" : "channel key";
  try {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found === undefined)
      return [notedFinding(name, `${path} is not there`, "It is made by `gatehouse-agent enrol CODE`.")];
    const isOwn = path !== paths.hostKey || found.uid === owner;
    if (found.isFile() && isOwn && (found.mode & 0o077) === 0)
      return [goodFinding(name, `${path} is read by its owner alone`)];
    return [
      badFinding(
        name,
        `${path} could have been read by others`,
        "Enrol again with --new-identity: a key that others may know proves nothing.",
      ),
    ];
  } catch {
    return [notedFinding(name, `${path} can be seen by root alone`, "Run this as root.")];
  }
}

async function examineEnvironment({ run }: ExamineDeps): Promise<Finding> {
  const { stdout } = await run("systemctl", ["show-environment"]);
  const set = Object.fromEntries(stdout.split("\n").map((line) => [line.split("=")[0] ?? "", ""]));
  const refused = findRefusedVariables(set);
  if (refused.length === 0)
    return goodFinding("environment", "systemd hands services nothing that would change the agent");
  return notedFinding(
    "environment",
    `systemd hands every service ${refused.join(", ")}`,
    "The agent's units unset them; find out who set them.",
  );
}

async function examineClock({ run }: ExamineDeps): Promise<Finding> {
  const { code, stdout } = await run("timedatectl", ["show", "--property=NTPSynchronized", "--value"]);
  if (code !== 0)
    return notedFinding(
      "clock",
      "whether the clock is set by a time server is not known",
      "Approvals have times: keep the clock right.",
    );
  if (stdout.trim() === "yes") return goodFinding("clock", "the clock is set by a time server");
  return notedFinding(
    "clock",
    "the clock is not set by a time server",
    "Approvals have times: let a service such as systemd-timesyncd set the clock.",
  );
}

async function examineReach({ checkReach, paths }: ExamineDeps): Promise<Finding[]> {
  if (checkReach === undefined) return [];
  const checks = await checkReach(paths);
  return checks.map(({ name, ok, found, todo }) => (ok ? goodFinding(name, found) : badFinding(name, found, todo)));
}

import type { JsonObject } from "@gatehouse/base";
import type { Report } from "@gatehouse/command-line";
import { acceptsOf, ceilingDigest, ceilingText, keepOf } from "../ceiling/ceiling.ts";
import { trustLines } from "../ceiling/ceiling-report.ts";
import { describeCeiling } from "../ceiling/describe-ceiling.ts";
import { testBuildWords } from "../commands/agent-version.ts";
import { exitCodes } from "../commands/agent-program.ts";
import type { UnitState } from "../host/systemd.ts";
import { trustJson } from "../trust/describe-trust.ts";
import { standingLines } from "../witness/witness-report.ts";
import { type ChangeStatus, changeJson, describeChange } from "./change-status.ts";
import type { ConnectionStatus } from "./connection-status.ts";
import type { LocalState } from "./read-local.ts";

export interface StatusFacts {
  readonly version: string;
  /** A build for tests alone. */
  readonly isTestBuild: boolean;
  readonly local: LocalState;
  /** Undefined when systemd does not answer. */
  readonly units: readonly UnitState[] | undefined;
  readonly change: ChangeStatus;
}

/** How this host stands; the first line is the answer. */
export function statusReport({ version, isTestBuild, local, units, change }: StatusFacts): Report {
  const { server, connection, ceiling, trust, problems } = local;
  const agent = units?.find(({ unit }) => unit === "gatehouse-agent.service");
  // What an agent wrote that no longer runs is history.
  const isRunning = agent === undefined || agent.active === "active";
  const isConnected = server !== undefined && isRunning && connection?.state === "connected";
  const exit = server === undefined ? exitCodes.notEnrolled : isConnected ? 0 : exitCodes.refused;
  return {
    ok: isConnected,
    exit,
    lines: [
      answer(local, isRunning),
      ...(server === undefined ? [] : [`Server: ${server.url}`]),
      ...(server?.nodeId === undefined ? [] : [`Node: ${server.nodeId}`]),
      ...(server === undefined ? [] : describeIdentity(local.hasHostKey)),
      ...describeConnection(connection),
      ...(local.witness === undefined ? [] : standingLines(local.witness, Date.now())),
      `Agent: ${version}`,
      ...(isTestBuild ? [testBuildWords] : []),
      ...describeUnits(units),
      ...describeChange(change),
      ...(ceiling === undefined
        ? ["The ceiling cannot be told."]
        : [...describeCeiling(ceiling), ...trustLines(ceiling, trust)]),
      ...problems.map((problem) => `Problem: ${problem}`),
    ],
    json: {
      enrolled: server !== undefined,
      connected: isConnected,
      hasHostKey: local.hasHostKey === "unreadable" ? null : local.hasHostKey,
      version,
      testBuild: isTestBuild,
      server: server === undefined ? null : { url: server.url, nodeId: server.nodeId ?? null },
      connection: connection ?? null,
      units: (units ?? null) as unknown as JsonObject[] | null,
      ceiling: ceiling === undefined ? null : (JSON.parse(ceilingText(ceiling)) as JsonObject),
      ceilingDigest: ceiling === undefined ? null : ceilingDigest(ceiling),
      accepts: ceiling === undefined ? null : acceptsOf(ceiling),
      keep: ceiling === undefined ? null : [...keepOf(ceiling)],
      trust: trustJson(trust),
      witness: witnessJson(local.witness),
      change: changeJson(change),
      problems: [...problems],
    },
  };
}

function witnessJson(standing: LocalState["witness"]): JsonObject | null {
  if (standing === undefined) return null;
  const { held, code, detail } = standing;
  return { held: held === null ? null : { ...held }, code, detail };
}

function answer({ server, connection }: LocalState, isRunning: boolean): string {
  if (server === undefined) return "This host is not enrolled.";
  if (!isRunning) return "This host is enrolled, and its agent does not run.";
  if (connection === undefined) return "This host is enrolled; whether it is connected cannot be told here.";
  if (connection.state === "connected") return `This host is connected since ${iso(connection.connectedAt)}.`;
  return `This host is not connected: the agent is ${connection.state}.`;
}

/** Said only when something is wrong with it: without its key a host can prove nothing. */
function describeIdentity(hasHostKey: LocalState["hasHostKey"]): string[] {
  return hasHostKey === false ? ["The key of this host is missing: enrol it again."] : [];
}

function describeConnection(connection: ConnectionStatus | undefined): string[] {
  if (connection === undefined) return [];
  const { lastClose, nextTryAt, outbox } = connection;
  const dropped = outbox.dropped === 0 ? "" : `, ${outbox.dropped} dropped for want of space`;
  return [
    ...(lastClose === null ? [] : [`Last end: ${iso(lastClose.at)}, ${lastClose.code}: ${lastClose.detail}`]),
    ...(nextTryAt === null ? [] : [`Next try: ${iso(nextTryAt)}`]),
    `Waiting to be sent: ${outbox.records} (${outbox.bytes} bytes)${dropped}`,
  ];
}

function describeUnits(units: readonly UnitState[] | undefined): string[] {
  if (units === undefined) return ["systemd does not answer: the state of the units is not known."];
  return units.map(({ unit, load, active, sub, restarts }) => {
    const often = restarts === 0 ? "" : `, restarted ${restarts} times`;
    return load === "loaded" ? `Unit ${unit}: ${active} (${sub})${often}` : `Unit ${unit}: ${load}`;
  });
}

function iso(time: number | null): string {
  return time === null ? "an unknown time" : new Date(time).toISOString().replace(/\.\d+Z$/, "Z");
}

import { compareVersions } from "@gatehouse/base";
import * as z from "zod";
import { releaseFacts } from "../artifact-facts.ts";
import type { PlanDiffLine } from "../diff-lines.ts";
import { type LintAround, type LintFinding, lintFinding } from "../lint-finding.ts";
import { countOf } from "../say.ts";
import { type AgentState, agentState, agentSubject } from "../states.ts";
import { agentWork } from "./agent-work.ts";
import { defineOperation } from "./descriptor.ts";

const schema = z.strictObject({ kind: z.literal("agent.update"), ...releaseFacts });
type AgentUpdate = z.output<typeof schema>;

/** No plugin may draw it up: the agent is what holds plugins to their plans. The release key is compiled into the agent. */
export const agentUpdate = defineOperation({
  kind: "agent.update",
  capability: null,
  planSchema: 2,
  says: "Replaces the agent with a signed release.",
  schema,
  subject: () => agentSubject,
  state: agentState,
  words: updateWords,
  lint: lintUpdate,
  diff: diffAgent,
  work: agentWork,
});

function updateWords({ version, architecture, size, sha256 }: AgentUpdate): string[] {
  return [
    `Updates the agent to ${version} for ${architecture}: ${countOf(size, "byte")}, sha256 ${sha256}.`,
    "That version has to start, and to reach the server, before the change is over: otherwise the one that is there now comes back.",
    "From then on changes are taken back by that version too.",
  ];
}

function lintUpdate({ version, architecture }: AgentUpdate, { agent }: LintAround): LintFinding[] {
  if (agent === undefined) return [];
  const found: LintFinding[] = [];
  if (architecture !== agent.architecture) {
    const says = `The agent of this host is for ${agent.architecture}: it will refuse one for ${architecture}.`;
    found.push(lintFinding("agent.architecture", says));
  }
  if (compareVersions(version, agent.version) <= 0) {
    const says = `The agent of this host is ${agent.version}: it takes later versions alone, and will refuse ${version}.`;
    found.push(lintFinding("agent.not_later", says));
  }
  return found;
}

function diffAgent(
  { version, architecture, sha256 }: AgentUpdate,
  before: AgentState | null | undefined,
): PlanDiffLine[] {
  const said = sayAgent({ version, architecture, sha256 });
  if (before === null || before === undefined) return [{ mark: "added", text: said }];
  if (before.sha256 === sha256) return [{ mark: "same", text: said }];
  return [
    { mark: "removed", text: sayAgent(before) },
    { mark: "added", text: said },
  ];
}

function sayAgent({ version, architecture, sha256 }: AgentState): string {
  return `agent ${version} for ${architecture}, sha256 ${sha256}`;
}

import * as z from "zod";
import { releaseFacts } from "../artifact-facts.ts";
import { countOf } from "../say.ts";
import { defineOperation, diffInWords, lintLater } from "./descriptor.ts";

const schema = z.strictObject({ kind: z.literal("agent.update"), ...releaseFacts });
type AgentUpdate = z.output<typeof schema>;

/** No plugin may draw it up: the agent is what holds plugins to their plans. The release key is compiled into the agent. */
export const agentUpdate = defineOperation({
  kind: "agent.update",
  capability: null,
  planSchema: 2,
  hosts: "later",
  says: "Replaces the agent with a signed release.",
  schema,
  subject: () => "agent:self",
  state: null,
  words: updateWords,
  lint: lintLater,
  diff: (operation) => diffInWords(updateWords(operation)),
  work: null,
});

function updateWords({ version, architecture, size, sha256 }: AgentUpdate): string[] {
  return [`Updates the agent to ${version} for ${architecture}: ${countOf(size, "byte")}, sha256 ${sha256}.`];
}

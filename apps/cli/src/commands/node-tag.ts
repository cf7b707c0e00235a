import { UsageError } from "@gatehouse/command-line";
import { changeNodeRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNamedNode, nodeArgument } from "../nodes/find-node.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "node tag";

export const nodeTagCommand = defineCommand({
  name: topic,
  summary: "add tags to a node, or take them away",
  about: [
    "Changes the tags by which nodes are filtered and named together. The host itself is not touched. A tag that is there already, or is not there to be taken away, is no mistake. It needs the scope node:admin.",
    "If somebody else changes the node at the same moment, nothing is changed and you are told.",
    connectionAbout,
  ],
  examples: [
    { why: "Mark a host", run: "gatehouse node tag web-1 --add web,berlin" },
    { why: "Change one tag for another", run: "gatehouse node tag web-1 --add web --remove staging" },
  ],
  arguments: { node: nodeArgument },
  flags: {
    add: { value: "TAG", about: "A tag to add; several with commas or by repeating the option.", list: true },
    remove: { value: "TAG", about: "A tag to take away; several as with --add.", list: true },
  },
  run: async ({ node: named, add = [], remove = [] }, surroundings) => {
    if (add.length + remove.length === 0) throw new UsageError("nothing to change: write --add or --remove", topic);
    const both = add.find((tag) => remove.includes(tag));
    if (both !== undefined) throw new UsageError(`${both} is to be added and removed`, topic);
    const connection = await openConnection(surroundings);
    const { node, etag } = await getNamedNode(connection, named);
    const tags = [...new Set([...node.tags, ...add])].filter((tag) => !remove.includes(tag));
    const isSame = tags.join(" ") === node.tags.join(" ");
    const { data } = isSame
      ? { data: node }
      : await connection.call(changeNodeRoute, {
          params: { id: node.id },
          headers: { "If-Match": etag },
          body: { tags },
        });
    const shown = data.tags.length === 0 ? "no tags" : `the tags ${data.tags.join(" ")}`;
    return {
      ok: true,
      lines: [`${data.name} has ${shown}${isSame ? ", as before" : ""}.`],
      json: { node: asJson(data) },
    };
  },
});

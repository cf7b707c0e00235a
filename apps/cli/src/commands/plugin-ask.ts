import { count, UsageError } from "@gatehouse/command-line";
import { type ActionReport, invokePluginRoute } from "@gatehouse/contract/routes";
import { defineCommand } from "../command.ts";
import { getNodeIds } from "../nodes/find-node.ts";
import { actionArgument, inputFlag, readAction } from "../plugins/action-arguments.ts";
import { describeAnswer } from "../plugins/describe-answer.ts";
import { fieldLine } from "../plugins/field-lines.ts";
import { parsePluginId, pluginArgument } from "../plugins/plugin-argument.ts";
import { connectionAbout, openConnection } from "../server/connection.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin ask";

/** The longest action has 30 seconds; the rest is for the way there and back. */
const limitMs = 60_000;

export const pluginAsk = defineCommand({
  name: topic,
  summary: "ask an active plugin to describe itself, report its health or draw up a plan",
  about: [
    "Runs one action of an active plugin in its sandbox on the server and prints the answer, with every call the plugin made to its broker. A plan is a draft: it is printed with its digest, and nothing is stored or applied. The same bytes, input and nodes give the same digest.",
    "A plan is drawn up for the nodes that --node names. The plugin is told their names, tags and addresses, and not what their hosts are like now: no host is asked anything. Names are looked up with the scope node:read; ids need none.",
    "The exit code is 1 if the plugin failed, with the reason, and if it reports a health other than ok. It needs the scope plugin:invoke, and every question stands in the audit log.",
    connectionAbout,
  ],
  examples: [
    { why: "Is it well", run: "gatehouse plugin ask netguard health" },
    {
      why: "What would it do to these nodes",
      run: "gatehouse plugin ask netguard plan --input firewall.json --node web-1,web-2",
    },
    {
      why: "Take the whole plan in a script",
      run: "gatehouse plugin ask netguard plan --input firewall.json --node web-1 --json",
    },
  ],
  arguments: { plugin: pluginArgument, action: actionArgument },
  flags: {
    input: inputFlag,
    node: {
      value: "NODE",
      about:
        "A node that the plan is for: its id, its last digits or its name; several with commas or by repeating the option. For plan only.",
      list: true,
    },
  },
  run: async (given, surroundings) => {
    const id = parsePluginId(given.plugin, topic);
    const { action, ...rest } = await readAction(given.action, given.input, topic);
    const named = given.node ?? [];
    if (action !== "plan" && named.length > 0) throw new UsageError(`--node is for plan; ${action} takes none`, topic);
    const connection = await openConnection(surroundings);
    const nodes = await getNodeIds(connection, named);
    const body = nodes.length === 0 ? rest : { ...rest, nodes };
    const { data } = await connection.call(invokePluginRoute, { params: { id, action }, body, limitMs });
    const { ok, verdict, lines } = describeAnswer(action, data.result);
    return {
      ok,
      lines: [
        `${id} ${data.version} ${verdict}.`,
        ...(data.plan === null ? [] : planLines(data.plan)),
        ...lines,
        ...data.calls.map((call, index) => fieldLine(index === 0 ? "called" : "", describeCalls(call))),
        ...(data.calls.length === 0 ? [fieldLine("called", "nothing of its broker")] : []),
        fieldLine("ran", `${data.ms} ms, sandbox ${data.sandbox}, artifact sha256 ${data.artifactSha256}`),
      ],
      json: { report: asJson(data) },
    };
  },
});

function planLines({ digest, inputSha256 }: NonNullable<ActionReport["plan"]>): string[] {
  return [fieldLine("digest", digest), fieldLine("question", `sha256 ${inputSha256}`)];
}

/** Counted and named, never the values: so the server keeps it too. */
function describeCalls({ method, host, count: times, refused, bytes }: ActionReport["calls"][number]): string {
  const parts = [
    count(times, "time"),
    ...(refused === 0 ? [] : [`${refused} refused`]),
    ...(bytes === 0 ? [] : [count(bytes, "byte")]),
  ];
  return `${method}${host === undefined ? "" : ` ${host}`}: ${parts.join(", ")}`;
}

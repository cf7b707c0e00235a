import { stat } from "node:fs/promises";
import { bundleLimits } from "@gatehouse/bundle/verify";
import { UsageError } from "@gatehouse/command-line";
import type { ActionName } from "@gatehouse/contract";
import type { PlanQuestion } from "@gatehouse/contract/broker";
import { sandboxLevels } from "@gatehouse/contract/routes";
import { describeRun, type HarnessOptions, type HarnessRun, openHarness } from "@gatehouse/plugin-sdk/harness";
import { defineCommand } from "../command.ts";
import { actionArgument, inputFlag, nodesFlag, readAction, readNodes } from "../plugins/action-arguments.ts";
import { readDeclared } from "../plugins/declared-capabilities.ts";
import { adviseAtDesk } from "../plugins/desk-advice.ts";
import { type DescribedAnswer, describeAnswer } from "../plugins/describe-answer.ts";
import { fieldLine, listOr } from "../plugins/field-lines.ts";
import { asJson } from "../server/list-all.ts";

const topic = "plugin try";

export const pluginTry = defineCommand({
  name: topic,
  summary: "run an artifact at one's desk, as a server would",
  about: [
    "Runs one action of a built artifact in the sandbox and under the limits of a server, judges the answer as a server does, and shows every call to the broker with what was answered. A plan is drawn up twice and must come out the same.",
    "The broker is one in memory: stored values are gone afterwards, log lines are shown, and http.fetch is always refused, so nothing is ever sent anywhere. The plugin may do what its description declares, and nothing else. No signature is asked for.",
    "The exit code is 1 if a server would not take the answer, with the reason, and for a health other than ok. It runs on Linux only: the sandbox is the kernel's.",
  ],
  examples: [
    { why: "What does it say of itself", run: "gatehouse plugin try dist/artifact describe" },
    { why: "Draw up a plan", run: "gatehouse plugin try dist/artifact plan --input sample.json --nodes nodes.json" },
    {
      why: "With other capabilities than those beside it",
      run: "gatehouse plugin try hello.sh health --manifest plugin.json",
    },
  ],
  arguments: {
    artifact: { value: "ARTIFACT", about: "The file that is the plugin." },
    action: actionArgument,
  },
  flags: {
    input: inputFlag,
    nodes: nodesFlag,
    manifest: {
      value: "FILE",
      about:
        "The description or manifest with its capabilities. Without it, plugin.json or manifest.json beside the artifact; without those, it has none.",
    },
    sandbox: {
      value: "LEVEL",
      about: "The weakest sandbox that will do. Without it, landlock, as on a server.",
      choices: sandboxLevels,
    },
  },
  run: async (given) => {
    const { action, input = null } = await readAction(given.action, given.input, topic);
    const nodes = await readNodes(action, given.nodes, topic);
    await refuseNoFile(given.artifact);
    const declared = await readDeclared(given.artifact, given.manifest, topic);
    const logged: string[] = [];
    const { run, level } = await runOnce(
      action,
      { input, nodes },
      {
        artifact: given.artifact,
        capabilities: declared.capabilities,
        store: new Map(),
        onLog: (level, message) => void logged.push(`${level}: ${message}`),
        ...(given.sandbox === undefined ? {} : { least: given.sandbox }),
      },
    );
    const { ok, verdict, lines } = describeOutcome(run);
    return {
      ok,
      lines: [
        `${given.artifact} ${verdict}.`,
        ...lines,
        fieldLine("may", listOr(declared.capabilities, "nothing")),
        fieldLine("", declared.file === undefined ? "no description was found" : `as ${declared.file} says`),
        fieldLine("sandbox", level),
        ...logged.map((line, index) => fieldLine(index === 0 ? "logged" : "", line)),
        ...describeRun(run).map((line) => `  ${line}`),
      ],
      json: { run: asJson(run), sandbox: level, capabilities: [...declared.capabilities], logged },
    };
  },
});

async function runOnce(action: ActionName, question: PlanQuestion, options: HarnessOptions) {
  const harness = await openHarness(options).catch((error: unknown) => {
    throw adviseAtDesk(error);
  });
  try {
    return { run: await harness.run(action, question), level: harness.level };
  } finally {
    await harness.close();
  }
}

function describeOutcome({ action, result, trouble }: HarnessRun): DescribedAnswer {
  if (trouble !== undefined || result === undefined) {
    return { ok: false, verdict: `failed: ${trouble ?? "it gave no answer"}`, lines: [] };
  }
  return describeAnswer(action, result);
}

async function refuseNoFile(artifact: string): Promise<void> {
  const found = await stat(artifact).catch((error: Error) => {
    throw new UsageError(`ARTIFACT: ${error.message}`, topic);
  });
  if (!found.isFile()) throw new UsageError(`ARTIFACT: ${JSON.stringify(artifact)} is not a regular file`, topic);
  if (found.size <= bundleLimits.artifactBytes) return;
  throw new UsageError(
    `ARTIFACT: ${JSON.stringify(artifact)} has more than ${bundleLimits.artifactBytes} bytes`,
    topic,
  );
}

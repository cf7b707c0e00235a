import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "@gatehouse/contract";
import { lintCodes } from "@gatehouse/plan";
import { expect, onTestFinished, test } from "vitest";
import { agentCommands } from "../../apps/agent/src/commands/agent-commands.ts";
import { commands } from "../../apps/cli/src/command-table.ts";
import { run } from "../../apps/cli/src/run.ts";
import { startArtifactServer } from "../../apps/cli/test/artifact-server.ts";
import { answering } from "../../apps/cli/test/no-terminal.ts";
import { elfOf } from "../../tests/support/elf-program.ts";
import { startPlanServer } from "../../apps/cli/test/plan-server.ts";
import { samplePlan } from "../../apps/cli/test/sample-plan.ts";
import { sendJson } from "../../apps/cli/test/small-server.ts";
import { parseArguments } from "../../packages/command-line/src/index.ts";
import { readText } from "../repository.ts";
import { commandsOfPage } from "./printed-commands.ts";

/** The page on updates: its lines are typed here in their order, and its codes are those of the tables. */
const page = readText("docs/operate/agent-updates.md");
const typed = page.replaceAll(/^[^`\n]*`[^`\n]+`.*$/gm, "");
const wordsOf = (text: string) => [...text.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', ""));
const lines = commandsOfPage("agent-updates.md", typed).map(({ text }) => text);

async function type(text: string, environment: Readonly<Record<string, string>>, home = ""): Promise<void> {
  const said: string[] = [];
  const screen = { write: (part: string) => void said.push(part) };
  const streams = { out: screen, err: screen, colour: false };
  const placed = wordsOf(text)
    .slice(1)
    .map((word) => (/^dist\/|\.key$/.test(word) ? join(home, word) : word));
  const terminal = answering("fourteen wooden bridges", "fourteen wooden bridges");
  expect(await run({ commands, environment, streams, terminal }, placed), `${text}: ${said.join("")}`).toBe(0);
}

test("from its key to the server a release comes by the lines that stand there, and can be planned by them", async () => {
  const home = await mkdtemp(join(tmpdir(), "gatehouse-page-"));
  onTestFinished(() => rm(home, { recursive: true }));
  for (const architecture of ["x64", "arm64"] as const) {
    await mkdir(join(home, "dist/agent", architecture), { recursive: true });
    await writeFile(join(home, "dist/agent", architecture, "gatehouse-agent"), elfOf(architecture));
  }
  const { environment, kept } = await startArtifactServer();
  const brought = lines.filter((text) => /^gatehouse (?:artifact|plugin) /.test(text));
  expect(brought.map((text) => text.split(" ")[2])).toEqual(["keygen", "keygen", "sign", "sign", "add", "add", "list"]);
  for (const text of brought) await type(text, environment, home);
  const items = [...kept.values()];
  expect(items.map(({ kind, version, architecture, state }) => [kind, version, architecture, state])).toEqual([
    ["release", "1.2.0", "x64", "whole"],
    ["release", "1.2.0", "arm64", "whole"],
  ]);

  const plans = await startPlanServer(samplePlan(), {
    "GET /api/artifacts": (response) => sendJson(response, 200, { items, nextCursor: null }),
    "POST /api/plans/stop": (response) => sendJson(response, 200, { stopped: null }),
  });
  const asked = lines.filter((text) => /^gatehouse (?:node list|plan (?:create|diff)) /.test(text));
  expect(asked).toHaveLength(3);
  // The hosts of that server have another tag.
  for (const text of asked) await type(text.replace("--tag canary", "--tag web"), plans.environment);
});

test("every other line is taken by the program that it is typed for", () => {
  for (const text of lines) {
    expect(parseArguments(commands, wordsOf(text).slice(1)), text).toMatchObject({ kind: "run" });
  }
  const ofHosts = [...page.matchAll(/^(?:sudo |dist\/agent\/x64\/)?gatehouse-agent (.*)$/gm)].map(
    ([, line = ""]) => line,
  );
  expect(ofHosts.length).toBe(3);
  for (const line of ofHosts) expect(parseArguments(agentCommands, wordsOf(line)), line).toMatchObject({ kind: "run" });
  const [, built = ""] = /^npm run agent:build -- (.*)$/m.exec(page) ?? [];
  const flags = [...built.matchAll(/--([a-z-]+)/g)].map(([, flag = ""]) => flag);
  expect(flags).toEqual(["twice", "release-key"]);
  const source = readText("tools/build-agent.ts");
  for (const flag of flags) expect(source).toMatch(new RegExp(`^ {4}"?${flag}"?: \\{ type:`, "m"));
});

test("every code that it names is one", () => {
  const known = [...Object.keys(faults), ...Object.keys(lintCodes)];
  const named = [...page.matchAll(/`([a-z]+\.[a-z_]+)`/g)].map(([, code = ""]) => code);
  const codes = named.filter((code) => code !== "agent.update");
  expect(codes.filter((code) => !known.includes(code))).toEqual([]);
  expect(codes).toEqual(expect.arrayContaining(["artifact.downgrade", "release.key_absent", "agent.alone"]));
});

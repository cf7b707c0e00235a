import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { faults } from "@gatehouse/contract";
import { artifactBytes } from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { agentCommands } from "../../apps/agent/src/commands/agent-commands.ts";
import { artifactLimits } from "../../apps/agent/src/tasks/artifact-limits.ts";
import { commands } from "../../apps/cli/src/command-table.ts";
import { run } from "../../apps/cli/src/run.ts";
import { startArtifactServer } from "../../apps/cli/test/artifact-server.ts";
import { answering } from "../../apps/cli/test/no-terminal.ts";
import { sampleArtifact } from "../../apps/cli/test/sample-artifact.ts";
import { programHead } from "../../tests/support/elf-program.ts";
import { edgeLimits } from "../../apps/server/src/edge/limits.ts";
import { artifactsLimits } from "../../apps/server/src/features/artifacts/limits.ts";
import { plansLimits } from "../../apps/server/src/features/plans/limits.ts";
import { parseArguments } from "../../packages/command-line/src/index.ts";
import { readText } from "../repository.ts";
import { commandsOfPage } from "./printed-commands.ts";

/** The page on programs: its lines are typed here, its numbers and codes are those of the tables. */
const page = readText("docs/operate/artifacts.md");
const prose = page.replaceAll(/^[^`\n]*`[^`\n]+`.*$/gm, "");
const wordsOf = (text: string) => [...text.matchAll(/"[^"]*"|\S+/g)].map(([word]) => word.replaceAll('"', ""));
const mebibyte = 1024 ** 2;

test("it has every command about artifacts, and every line about them is taken as it stands there", async () => {
  const lines = commandsOfPage("artifacts.md", prose).map(({ text }) => text);
  const ours = lines.filter((text) => /^gatehouse (artifact|plugin) /.test(text));
  const shown = ours.map((text) => text.split(" ").slice(1, 3).join(" "));
  for (const { name } of commands.filter((one) => one.name.startsWith("artifact "))) expect(shown).toContain(name);
  const earlier = sampleArtifact({ id: `artifact_${"1".repeat(26)}`, version: "1.2.2", sha256: "1".repeat(64) });
  const { environment, kept } = await startArtifactServer({ items: [earlier] });
  const home = await mkdtemp(join(tmpdir(), "gatehouse-page-"));
  onTestFinished(() => rm(home, { recursive: true }));
  await writeFile(join(home, "tool"), `${programHead}a program`);
  const terminal = answering(...Array.from({ length: 3 }, () => "fourteen wooden bridges"));
  for (const text of ours) {
    const said: string[] = [];
    const screen = { write: (part: string) => void said.push(part) };
    const streams = { out: screen, err: screen, colour: false };
    const words = wordsOf(text).slice(1);
    const placed = words.map((word) => (/^(tool|acme\.key)$/.test(word) ? join(home, word) : word));
    expect(await run({ commands, environment, streams, terminal }, placed), `${text}: ${said.join("")}`).toBe(0);
  }
  expect([...kept.values()].map(({ version, state }) => ({ version, state }))).toEqual([
    { version: "1.2.3", state: "whole" },
  ]);
});

test("what root of a host types there is taken by the agent", () => {
  const lines = [...page.matchAll(/^sudo gatehouse-agent (.*)$/gm)].map(([, line = ""]) => line);
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) expect(parseArguments(agentCommands, wordsOf(line)), line).toMatchObject({ kind: "run" });
});

test("it has every refusal of artifacts, and the limits that hold", () => {
  const [, table = ""] = page.split("## What is refused\n");
  const codes = Object.keys(faults).filter((code) => /^(cli\.)?artifact[._]/.test(code));
  for (const code of codes) expect(table).toContain(`| \`${code}\` |`);
  const gibibyte = 1024 * mebibyte;
  const { most, part } = artifactBytes;
  const { streamMs, streamPauseMs } = edgeLimits;
  for (const row of [
    `| an artifact | ${most / mebibyte} MiB, in parts of ${part / mebibyte} MiB |`,
    `| a part | ${streamMs / 60_000} minutes, and ${streamPauseMs / 1_000} seconds without a byte |`,
    `| all artifacts of a server | ${artifactsLimits.bytes / gibibyte} GiB, as they were announced, and ${artifactsLimits.artifacts.toLocaleString("en")} of them`,
    `| artifacts of one change of a host | ${artifactLimits.count} |`,
    `| artifacts of one plan | ${plansLimits.artifactsOfPlan} (\`plan.artifact\`) |`,
    `while they come | ${artifactLimits.allBytes / gibibyte} GiB,`,
  ]) {
    expect(page).toContain(row);
  }
  expect(artifactsLimits.arrivingMs).toBe(24 * 60 * 60_000);
  expect(artifactLimits.freeShare).toBe(10);
});

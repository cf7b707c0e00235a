import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { planMoves, planStates } from "@gatehouse/contract";
import { planLifetimes } from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { commands } from "../../apps/cli/src/command-table.ts";
import { changeableSettings } from "../../apps/cli/src/plans/server-settings.ts";
import { run } from "../../apps/cli/src/run.ts";
import { keepSession } from "../../apps/cli/src/server/session-file.ts";
import { noTerminal } from "../../apps/cli/test/no-terminal.ts";
import { startPlanServer } from "../../apps/cli/test/plan-server.ts";
import { sampleArtifact } from "../../apps/cli/test/sample-artifact.ts";
import { samplePlan } from "../../apps/cli/test/sample-plan.ts";
import { endedTask } from "../../apps/cli/test/sample-task.ts";
import { sendJson } from "../../apps/cli/test/small-server.ts";
import { readText } from "../repository.ts";
import { commandsOfPage } from "./printed-commands.ts";

/** What the tables say of plans, the page for operators says too. */
const page = readText("docs/operate/plans.md");
const rowsOf = (heading: string) =>
  [...(page.split(`| ${heading} |`)[1]?.split("\n\n")[0] ?? "").matchAll(/^\| (`[^|]*) \|(.*)\|$/gm)].map(
    ([, first = "", rest = ""]) => ({ names: namesIn(first), rest: rest.split("|").map((cell) => cell.trim()) }),
  );

test("the page on plans has every state in order, with where it leads", () => {
  const states = rowsOf("state").map(({ names, rest }) => [names[0], namesIn(rest[1] ?? "")]);
  expect(states).toEqual(planStates.map((state) => [state, planMoves[state]]));
});

test("it has every setting, and the hours that a plan may live", () => {
  expect(rowsOf("setting").flatMap(({ names }) => names)).toEqual(changeableSettings);
  const { least, most, unsaid } = planLifetimes;
  expect(page).toContain(`| \`--expires-in-hours N\` | ${least} to ${most}; ${unsaid} without it |`);
});

test("it shows every command about plans and settings, and names only options that there are", () => {
  const shown = commandsOfPage("plans.md", page).map(({ text }) => text.split(" ").slice(1, 3).join(" "));
  const ours = commands.filter(({ name }) => /^(plan|settings) /.test(name));
  for (const { name } of ours) expect(shown).toContain(name);
  const create = ours.find(({ name }) => name === "plan create");
  for (const { names } of rowsOf("option")) {
    for (const [option = ""] of names.map((name) => name.split(" "))) {
      expect(create?.flags).toHaveProperty([option.slice(2)]);
    }
  }
});

test("every line of it is taken as it stands there, and asks a server for what the contract has", async () => {
  const shown = samplePlan({ change: { state: "done" } });
  const { plan } = shown;
  const items = [endedTask(0, "applied"), endedTask(1, "applied")];
  const settings = { plans: { selfApproval: false, stopped: null } };
  const stopped = { at: "2026-11-17T05:00:00.000Z", by: "usr_ada", reason: "Hosts lose their network" };
  const { publisher: _, ...facts } = sampleArtifact({ id: `artifact_${"8".repeat(26)}`, version: "1.2.0" });
  const artifacts = [sampleArtifact(), { ...facts, kind: "release", name: "gatehouse-agent" }];
  const { server } = await startPlanServer(shown, {
    "GET /api/artifacts": (response) => sendJson(response, 200, { items: artifacts, nextCursor: null }),
    "GET /api/settings": (response) => sendJson(response, 200, settings),
    "PATCH /api/settings": (response) => sendJson(response, 200, settings),
    "PUT /api/plans/stop": (response) => sendJson(response, 200, { stopped }),
    [`GET /api/plans/${plan.id}/tasks`]: (response) => sendJson(response, 200, { items, nextCursor: null }),
    ...Object.fromEntries(
      ["apply", "halt", "review", "withdrawal", "rejection"].map((move) => [
        `POST /api/plans/${plan.id}/${move}`,
        (response) => sendJson(response, 200, plan),
      ]),
    ),
  });
  const home = await mkdtemp(join(tmpdir(), "gatehouse-page-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const environment = { HOME: home };
  const cookie = { name: "gatehouse", value: "v".repeat(43) };
  const session = { server: server.url.origin, cookie, id: "ses_1", username: "ada" };
  await keepSession({ environment }, { ...session, expiresAt: "2999-01-01T00:00:00.000Z" });
  const files = ["motd.txt", "app.conf", "firewall.json"];
  for (const file of files) await writeFile(join(home, file), "{}\n");
  const lines = commandsOfPage("plans.md", page.replaceAll(/^[^`\n]*`[^`\n]+`.*$/gm, ""));
  expect(lines.length).toBeGreaterThan(15);
  for (const { text } of lines) {
    const words = [...text.matchAll(/"[^"]*"|\S+/g)].slice(1).map(([word]) => word.replaceAll('"', ""));
    const placed = words.map((word) => word.replace(/[\w.]+$/, (end) => (files.includes(end) ? join(home, end) : end)));
    const said: string[] = [];
    const screen = { write: (part: string) => void said.push(part) };
    const streams = { out: screen, err: screen, colour: false };
    const terminal = { ...noTerminal, readStandardInput: () => Promise.resolve("{}") };
    expect(await run({ commands, environment, streams, terminal }, placed), `${text}: ${said.join("")}`).toBe(0);
  }
});

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact } from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { answering } from "../../test/no-terminal.ts";
import { startPlanServer } from "../../test/plan-server.ts";
import { runJson, runLine } from "../../test/run-commands.ts";
import { sampleArtifact } from "../../test/sample-artifact.ts";
import { hosts, samplePlan } from "../../test/sample-plan.ts";
import { sendJson, type SmallServer, sendProblem } from "../../test/small-server.ts";

/** What the CLI sends to have a plan made, and what it shows of it. */
const { plan } = samplePlan();

async function inputFile(text: string | Uint8Array): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-plan-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "input");
  await writeFile(file, text);
  return file;
}

function sentTo({ received }: SmallServer) {
  const sent = received.filter(({ method }) => method === "POST");
  return sent.map(({ path, headers, body }) => ({ path, headers, body: JSON.parse(body) as object }));
}

test("a person's plan: files first, then services, called after what it does; it is shown as plan show does", async () => {
  const { server, environment } = await startPlanServer();
  const motd = await inputFile("Hello\n");
  const line = `plan create --restart nginx.service --write /etc/motd=${motd} --node web-2,${hosts[0]?.id}`;
  const { code, out, err } = await runLine(line, { environment });
  expect([code, err]).toEqual([0, ""]);
  const [sent, ...more] = sentTo(server);
  expect(more).toEqual([]);
  expect(sent).toMatchObject({
    path: "/api/plans",
    headers: { "idempotency-key": expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  const byName = hosts.find(({ name }) => name === "web-2")?.id;
  expect(sent?.body).toEqual({
    title: "Write /etc/motd, restart nginx.service",
    summary: "Write /etc/motd. Restart nginx.service.",
    operations: [
      { kind: "file.write", path: "/etc/motd", text: "Hello\n", mode: "0644", owner: "root", group: "root" },
      { kind: "service.restart", unit: "nginx.service" },
    ],
    nodes: [...new Set([byName, hosts[0]?.id])],
  });
  expect(out).toBe((await runLine(`plan show ${plan.id}`, { environment })).out);
});

test("every option reaches the server, and a tag needs no list of nodes", async () => {
  const { server, environment } = await startPlanServer();
  const motd = await inputFile("");
  const words = `plan create --write /srv/a=${motd} --mode 0600 --owner app --group app --title T --summary S --tag web --tag db --skip-offline --management 192.0.2.0/24,2001:db8::/32 --expires-in-hours 2 --no-review --replaces 5d7skrbj`;
  expect(await runJson(words, { environment })).toMatchObject({
    code: 0,
    found: { ok: true, plan: { id: plan.id }, sections: [{ index: 0 }, { index: 1 }], more: false },
  });
  expect(sentTo(server)[0]?.body).toEqual({
    title: "T",
    summary: "S",
    operations: [{ kind: "file.write", path: "/srv/a", text: "", mode: "0600", owner: "app", group: "app" }],
    tags: ["web", "db"],
    skipOffline: true,
    management: ["192.0.2.0/24", "2001:db8::/32"],
    expiresInHours: 2,
    review: false,
    replaces: plan.id,
  });
  expect(server.received.map(({ path }) => path.split("?")[0])).not.toContain("/api/nodes");
});

test.each(["--input -", "--input=-"])(
  "a plugin's input comes from a file, or with %s from standard input",
  async (dash) => {
    const { server, environment } = await startPlanServer();
    const file = await inputFile('{ "zones": {} }');
    expect(await runLine(`plan create --plugin netguard --input ${file} --tag web`, { environment })).toMatchObject({
      code: 0,
    });
    const terminal = answering('{"zones":{}}');
    const line = `plan create --plugin netguard ${dash} --tag web`;
    expect(await runLine(line, { environment, terminal })).toMatchObject({ code: 0 });
    const body = { plugin: "netguard", input: { zones: {} }, tags: ["web"] };
    expect(sentTo(server).map((sent) => sent.body)).toEqual([body, body]);
  },
);

const artifactsAre = (...items: readonly Artifact[]) =>
  startPlanServer(samplePlan(), {
    "GET /api/artifacts": (response) => sendJson(response, 200, { items, nextCursor: null }),
  });

test("a program is looked up on the server: the plan has its facts, and says its name and version", async () => {
  const tool = sampleArtifact();
  const { server, environment } = await artifactsAre(tool);
  const motd = await inputFile("Hello\n");
  const line = `plan create --restart tool.service --replace /opt/tool=tool@1.2.3 --write /etc/motd=${motd} --tag web`;
  const { code, err } = await runLine(line, { environment });
  expect([code, err]).toEqual([0, ""]);
  const { name, version, architecture, sha256, size, publisher, signature } = tool;
  const facts = { name, version, architecture, sha256, size, publisher, signature };
  expect(sentTo(server)[0]?.body).toMatchObject({
    title: "Write /etc/motd, replace /opt/tool by tool 1.2.3, restart tool.service",
    summary: "Write /etc/motd. Replace /opt/tool by tool 1.2.3. Restart tool.service.",
    operations: [
      { kind: "file.write", path: "/etc/motd" },
      { kind: "binary.replace", path: "/opt/tool", ...facts },
      { kind: "service.restart", unit: "tool.service" },
    ],
  });
});

test.each<[string, readonly Partial<Artifact>[], string, string]>([
  ["is not whole", [{ state: "arriving", parts: [1] }], "plan.artifact", "found 1 of 2 parts"],
  ["is a release", [{ kind: "release", publisher: undefined }], "plan.artifact", "a release of the agent"],
  ["is not there", [], "artifact.unknown", "no artifact"],
  ["could be two", [{}, { id: `artifact_${"8".repeat(26)}` }], "cli.artifact_ambiguous", "fits"],
  ["no plan takes", [{ publisher: undefined }], "cli.answer_unexpected", "publisher"],
])("an artifact that %s is no program of a plan", async (_, changes, code, why) => {
  const { server, environment } = await artifactsAre(...changes.map((change) => sampleArtifact(change)));
  const refused = await runLine("plan create --replace /opt/tool=tool --tag web", { environment });
  expect(refused).toMatchObject({ code: 1, out: "", err: expect.stringContaining(`gatehouse: ${code}: `) });
  expect(refused.err).toContain(why);
  expect(sentTo(server)).toEqual([]);
});

test("a plan that the lint refuses was made, and is exit code 1", async () => {
  const refused = samplePlan({ change: { state: "draft", findings: { refuse: 1, warn: 0, note: 0 } } });
  const { environment } = await startPlanServer(refused);
  const { code, out } = await runLine("plan create --restart nginx.service --tag web", { environment });
  expect([code, out]).toEqual([1, expect.stringMatching(/^Write .*: draft\n/)]);
});

test("a refusal of the server is told in its words, with what to do", async () => {
  const { environment } = await startPlanServer(samplePlan(), {
    "POST /api/plans": (response) =>
      sendProblem(response, 409, "plan.node_offline", {
        detail: "web-1 is not connected",
        todo: "Send `skipOffline`.",
      }),
  });
  const { code, err } = await runLine("plan create --restart nginx.service --tag web", { environment });
  expect([code, err]).toEqual([
    1,
    "gatehouse: plan.node_offline: web-1 is not connected\n  Wait until it is back, or make the plan without it: --skip-offline\n",
  ]);
});

test("a plan that was made and is not the one that is shown is named", async () => {
  const { environment } = await startPlanServer({ ...samplePlan(), bytes: new TextEncoder().encode("{}\n") });
  const { code, out, err } = await runLine("plan create --restart nginx.service --tag web", { environment });
  expect([code, out]).toEqual([1, ""]);
  expect(err).toContain(`cli.plan_differs: the plan ${plan.id} was made, and cannot be shown: `);
});

test("what cannot be meant is refused before anything is sent", async () => {
  const { server, environment } = await startPlanServer();
  const [good, bad] = [await inputFile("{}"), await inputFile(Uint8Array.of(0xff))];
  const hidden = await inputFile("a\u202eb");
  for (const line of [
    "plan create",
    "plan create --tag web",
    "plan create --restart nginx.service",
    "plan create --restart nginx --tag web",
    `plan create --restart a.service --plugin netguard --input ${good} --tag web`,
    `plan create --plugin netguard --input ${good} --title T --tag web`,
    "plan create --plugin netguard --tag web",
    `plan create --plugin netguard --input ${bad} --tag web`,
    `plan create --plugin ../x --input ${good} --tag web`,
    `plan create --input ${good} --restart a.service --tag web`,
    "plan create --write /etc/motd --tag web",
    `plan create --write =${good} --tag web`,
    "plan create --write /etc/motd= --tag web",
    `plan create --write /etc/../motd=${good} --tag web`,
    `plan create --write /etc/motd=${good}.absent --tag web`,
    `plan create --write /etc/motd=${bad} --tag web`,
    `plan create --write /etc/motd=${hidden} --tag web`,
    `plan create --write /etc/motd=${good} --mode 4755 --tag web`,
    "plan create --replace /opt/tool --tag web",
    "plan create --replace opt/tool=tool --tag web",
    "plan create --replace /opt/tool=tool --mode 0755 --tag web",
    `plan create --replace /opt/tool=tool --plugin netguard --input ${good} --tag web`,
    "plan create --restart a.service --mode 0600 --tag web",
    "plan create --restart a.service --tag web --expires-in-hours 0",
    "plan create --restart a.service --tag web --expires-in-hours 169",
    "plan create --restart a.service --node node_1",
    "plan create --restart a.service --tag web --replaces plan_1",
  ]) {
    expect((await runLine(line, { environment })).code, line).toBe(2);
  }
  expect(server.received).toEqual([]);
});

test("a node that several are called like, or nobody, has no plan made for it", async () => {
  const { server, environment } = await startPlanServer();
  expect(await runJson("plan create --restart a.service --node nobody", { environment })).toMatchObject({
    code: 1,
    found: { error: { code: "node.unknown" } },
  });
  expect(sentTo(server)).toEqual([]);
});

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@gatehouse/base";
import { joinToken } from "@gatehouse/contract";
import type { ActionReport, Plugin } from "@gatehouse/contract/routes";
import { expect, onTestFinished, test } from "vitest";
import { runJson, runLine } from "../../test/run-commands.ts";
import { sampleNode } from "../../test/sample-node.ts";
import { at, digest, hello, hostSandbox } from "../../test/sample-plugin.ts";
import { sendJson, sendProblem, startSmallServer } from "../../test/small-server.ts";

/** What the CLI makes of a plugin's answers; the acceptance suite asks real plugins of a real server. */
const token = joinToken("a".repeat(16), "b".repeat(43));
const node = `node_${"0".repeat(25)}1`;

const report: ActionReport = {
  id: "acme-hello",
  action: "describe",
  version: "1.1.0",
  artifactSha256: digest,
  sandbox: "landlock",
  ms: 41,
  calls: [
    { method: "http.fetch", host: "api.example.com", count: 3, refused: 1, bytes: 512 },
    { method: "kv.get", count: 1, refused: 0, bytes: 0 },
  ],
  result: null,
  plan: null,
};

const draft = {
  title: "Firewall for 1 node",
  summary: "Opens nothing.",
  sections: [
    {
      node,
      operations: [
        {
          kind: "firewall.apply",
          table: "gatehouse_hello",
          input: {
            policy: "drop",
            rules: [{ label: "ssh", verdict: "accept", protocol: "tcp", ports: [{ from: 22, to: 22 }] }],
          },
        },
        { kind: "service.restart", unit: "hello.service" },
      ],
    },
  ],
};

async function asked(action: ActionReport["action"], result: Json, more: Partial<ActionReport> = {}) {
  const server = await startSmallServer((response) => sendJson(response, 200, { ...report, action, result, ...more }));
  return { server, environment: { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin } };
}

async function inputFile(text: string): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "gatehouse-input-"));
  onTestFinished(() => rm(directory, { recursive: true }));
  const file = join(directory, "input.json");
  await writeFile(file, text);
  return file;
}

test("a description is printed in words, with the calls that were made for it", async () => {
  const mapLines = [{ from: node, to: `${node.slice(0, -1)}2`, label: "office", state: "planned" }];
  const result = { name: "Hello", version: "1.1.0", summary: "Says hello.", mapLines };
  const { server, environment } = await asked("describe", result);
  const { code, out } = await runLine("plugin ask acme-hello describe", { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^acme-hello 1\.1\.0 describes itself\.\n/);
  for (const part of ["Says hello.", "1 line", "office (planned)", "41 ms, sandbox landlock", digest]) {
    expect(out).toContain(part);
  }
  expect(out).toContain("http.fetch api.example.com: 3 times, 1 refused, 512 bytes");
  expect(out).toContain("kv.get: 1 time\n");
  expect(server.received).toMatchObject([
    { method: "POST", path: "/api/plugins/acme-hello/actions/describe", body: "{}" },
  ]);
});

test("the exit code is that of its health", async () => {
  const well = await asked("health", { status: "ok" }, { calls: [] });
  const { code, out } = await runLine("plugin ask acme-hello health", well);
  expect([code, out]).toEqual([0, expect.stringMatching(/^acme-hello 1\.1\.0 says that it is ok\.\n/)]);
  expect(out).toContain("nothing of its broker");
  const ill = await asked("health", { status: "degraded", message: "No table." });
  expect(await runLine("plugin ask acme-hello health", ill)).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^acme-hello 1\.1\.0 says that it is degraded\.\n.*No table\.\n/),
  });
});

test("a plan is printed by node, an operation a line, with the digest of the draft", async () => {
  const plan = { digest: "9".repeat(64), inputSha256: "8".repeat(64) };
  const { server, environment } = await asked("plan", draft, { plan });
  const line = `plugin ask acme-hello plan --input ${await inputFile('{ "ports": [1] }')} --node ${node}`;
  const { code, out } = await runLine(line, { environment });
  expect(code).toBe(0);
  expect(out).toMatch(/^acme-hello 1\.1\.0 drew up a plan for 1 node; nothing was stored or applied\.\n/);
  for (const part of [
    plan.digest,
    plan.inputSha256,
    "Firewall for 1 node",
    "Opens nothing.",
    node,
    "firewall.apply  firewall:gatehouse_hello  in: 1 rule, else drop\n",
    "service.restart  service:hello.service\n",
  ]) {
    expect(out).toContain(part);
  }
  expect(server.received[0]?.body).toBe(`{"input":{"ports":[1]},"nodes":["${node}"]}`);
  const { found } = await runJson(line, { environment });
  expect(found).toMatchObject({ ok: true, report: { ...report, action: "plan", result: draft, plan } });
});

test("nodes of a plan are named as anywhere else, and only names are looked up", async () => {
  const other = `${node.slice(0, -1)}2`;
  const items = [sampleNode({ id: node, name: "web-1" }), sampleNode({ id: other, name: "web-2" })];
  const server = await startSmallServer((response, { path }) =>
    path.startsWith("/api/nodes")
      ? sendJson(response, 200, { items, nextCursor: null })
      : sendJson(response, 200, { ...report, action: "plan", result: draft }),
  );
  const environment = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin };
  const line = `plugin ask acme-hello plan --input ${await inputFile("{}")}`;
  expect((await runLine(`${line} --node web-2,web-1 --node ${node}`, { environment })).code).toBe(0);
  expect(server.received.map(({ path, body }) => [path.split("?")[0], body])).toEqual([
    ["/api/nodes", ""],
    ["/api/plugins/acme-hello/actions/plan", `{"input":{},"nodes":["${other}","${node}"]}`],
  ]);
  expect(await runLine(`${line} --node web-3`, { environment })).toMatchObject({
    code: 1,
    err: expect.stringContaining("node.unknown"),
  });
  expect((await runLine(line, { environment })).code).toBe(0);
  expect(server.received.at(-1)?.body).toBe('{"input":{}}');
});

test("a plugin that failed is exit code 1 with the reason, for people and for machines", async () => {
  const server = await startSmallServer((response) =>
    sendProblem(response, 422, "plugin.action_failed", { detail: "it ended with 3", action: "health" }),
  );
  const environment = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin };
  const { code, err } = await runLine("plugin ask acme-hello health", { environment });
  expect([code, err]).toEqual([1, expect.stringContaining("plugin.action_failed: it ended with 3")]);
  expect(await runJson("plugin ask acme-hello health", { environment })).toMatchObject({
    code: 1,
    found: { ok: false, error: { code: "plugin.action_failed", detail: "it ended with 3" } },
  });
});

test("what cannot be meant is refused before anything is sent", async () => {
  const { server, environment } = await asked("health", { status: "ok" });
  const file = await inputFile('{"a":1,"a":2}');
  for (const line of [
    "plugin ask acme-hello apply",
    "plugin ask ../acme health",
    "plugin ask acme-hello plan",
    `plugin ask acme-hello health --input ${file}`,
    `plugin ask acme-hello health --node ${node}`,
    `plugin ask acme-hello plan --input ${file}`,
    `plugin ask acme-hello plan --input ${file}.absent`,
  ]) {
    expect((await runLine(line, { environment })).code, line).toBe(2);
  }
  expect(server.received).toEqual([]);
});

test("an answer of a form that is not known is refused, and never half shown", async () => {
  const { environment } = await asked("plan", { ...draft, sections: [{ node, operations: [{ kind: "new" }] }] });
  const line = `plugin ask acme-hello plan --input ${await inputFile("{}")}`;
  expect(await runLine(line, { environment })).toMatchObject({
    code: 1,
    out: "",
    err: expect.stringContaining("cli.answer_unexpected"),
  });
});

test("an active plugin is shown with its sandbox, its breaker, what it used and how it failed", async () => {
  const active: Plugin = {
    ...hello,
    status: "active",
    runtime: {
      state: "armed",
      runner: "system",
      sandbox: "namespaces",
      message: null,
      breaker: "open",
      failuresInARow: 5,
      actions: 12,
      capabilityUse: [
        { name: "host:firewall", calls: 0 },
        { name: "kv:read", calls: 3 },
        { name: "log:write", calls: 0 },
      ],
      lastErrors: [
        { at, action: "plan", reason: "it ended with 3", stderr: "first\n\u001b[2J\u202eowned\nlast\n" },
        { at, action: "health", reason: "it took longer than 10 s", stderr: "not of interest any more" },
      ],
    },
  };
  const { environment } = await listing({ items: [active], rejections: [], sandbox: hostSandbox, nextCursor: null });
  const { out } = await runLine("plugin show acme-hello", { environment });
  for (const part of [
    "system: armed, sandbox namespaces",
    "open, 5 failures in a row",
    "12 times since it was activated",
    "2026-11-15T08:30:00Z plan: it ended with 3",
    "| \\u001b[2J\\u202eowned",
    "| last",
    "health: it took longer than 10 s",
  ]) {
    expect(out).toContain(part);
  }
  expect(out).toMatch(/host:firewall +for plans; no call uses it\n/);
  expect(out).toMatch(/kv:read +3 calls\n/);
  expect(out).toMatch(/log:write +not used\n/);
  expect(out).not.toContain("not of interest");
});

test("a machine that can fence in no plugin is named under the list", async () => {
  const sandbox = { level: null, isTried: true, least: "landlock", message: "the kernel has neither" };
  const { environment } = await listing({ items: [hello], rejections: [], sandbox, nextCursor: null });
  expect((await runLine("plugin list", { environment })).out).toContain("none that will do, so no plugin can run");
  const empty = await listing({ items: [], rejections: [], sandbox, nextCursor: null });
  expect((await runLine("plugin list", empty)).out).not.toContain("sandbox");
});

async function listing(page: object) {
  const server = await startSmallServer((response) => sendJson(response, 200, page));
  return { environment: { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.url.origin } };
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { helpFor, type Report, runProgram } from "@gatehouse/command-line";
import { fault } from "@gatehouse/contract";
import { expect, onTestFinished, test } from "vitest";
import { refuseEnvironment } from "../host/refuse-environment.ts";
import { agentCommands } from "./agent-commands.ts";
import { agentProgram } from "./agent-program.ts";
import type { AgentVerbs } from "./verbs.ts";

const done: Report = { ok: true, lines: ["done"], json: {} };

/** Verbs that say what they were asked for. */
function recorder(answer: () => Promise<Report> = async () => done) {
  const asked: unknown[] = [];
  const verbs = new Proxy({} as AgentVerbs, {
    get: (_, verb) => (request: unknown) => {
      asked.push([verb, request]);
      return answer();
    },
  });
  return { asked, verbs };
}

async function call(
  line: string,
  {
    verbs,
    environment = {},
    args = line.split(" "),
  }: { verbs: AgentVerbs; environment?: Record<string, string>; args?: string[] },
) {
  const text = { out: "", err: "" };
  const screen = (name: "out" | "err") => ({ write: (part: string) => void (text[name] += part) });
  const streams = { out: screen("out"), err: screen("err"), colour: false };
  const surroundings = { environment, verbs };
  const deps = { program: agentProgram, commands: agentCommands, streams, surroundings };
  const before = () => refuseEnvironment(environment);
  return { code: await runProgram({ ...deps, before }, args), ...text };
}

test.each(agentCommands.map((command) => [command.name, command] as const))(
  "%s teaches: what, when, how",
  (name, command) => {
    expect(command.summary).toMatch(/^[a-z].*[^.]$/);
    expect(command.about.join(" ").length).toBeGreaterThan(60);
    expect(command.examples.length).toBeGreaterThan(0);
    expect(command.examples.some(({ run }) => run.includes(`gatehouse-agent ${name}`))).toBe(true);
    for (const { about } of [...Object.values(command.flags), ...Object.values(command.arguments)]) {
      expect(about).toMatch(/^[A-Z].*\.$/);
    }
  },
);

test("the help fits a terminal of 100 columns, names the exit codes, and hides what is not for people", () => {
  for (const topic of ["", "ceiling", "trust", ...agentCommands.map(({ name }) => name)]) {
    const lines = helpFor(agentProgram, agentCommands, topic).split("\n");
    const prose = lines.filter((line) => !line.startsWith("    "));
    for (const line of prose) expect(line.length).toBeLessThanOrEqual(100);
    expect(lines.join("\n")).not.toContain("--root");
  }
  const help = helpFor(agentProgram, agentCommands, "");
  expect(help).toContain("5 this host is not enrolled");
  expect(help).toMatch(/^ {2}helper explain {2}/m);
  expect(help).not.toMatch(/^ {2}helper {2}/m);
  expect(help).toContain("rollback ");
  for (const hidden of ["deadman", "boot "]) expect(help).not.toContain(hidden);
});

test("a ceiling is asked for with its level and entries", async () => {
  const { asked, verbs } = recorder();
  await call("ceiling set managed --allow file.write:/etc/nginx --allow agent.update --root /x", { verbs });
  expect(asked).toEqual([
    ["setCeiling", { root: "/x", level: "managed", allow: ["file.write:/etc/nginx", "agent.update"] }],
  ]);
});

const words = (...parts: string[]) => parts;

test.each([
  [
    "approvers, each a whole line",
    words("--approver", "ssh-ed25519 AAAA Lovelace, Ada", "--approver=ssh-ed25519 BBBB", "--fingerprint", "SHA256:a"),
    {
      accepts: "signed",
      approvers: { lines: ["ssh-ed25519 AAAA Lovelace, Ada", "ssh-ed25519 BBBB"], fingerprints: ["SHA256:a"] },
    },
  ],
  [
    "publishers of programs with them",
    words("--approver", "x", "--publisher", "acme=A", "--publisher", "tools=B"),
    { accepts: "signed", approvers: { lines: ["x"], fingerprints: [], publishers: ["acme=A", "tools=B"] } },
  ],
  ["the server's word", words("--server-trusted"), { accepts: "server" }],
  [
    "what stays open",
    words("--keep", "tcp/22:::/0", "--keep", "tcp/22:0.0.0.0/0"),
    { keep: ["tcp/22:::/0", "tcp/22:0.0.0.0/0"] },
  ],
  [
    "logs that may be read",
    words("--read-log", "/var/log/nginx", "--read-log", "nginx.service"),
    { readLogs: ["/var/log/nginx", "nginx.service"] },
  ],
  ["no log that may be read", words("--read-log", "none"), { readLogs: [] }],
  [
    "logs that are sent",
    words("--logs", "/var/log/nginx/error.log", "--logs", "nginx.service"),
    { sendLogs: ["/var/log/nginx/error.log", "nginx.service"] },
  ],
  ["no log that is sent", words("--logs", "none"), { sendLogs: [] }],
])("a ceiling is asked for with %s", async (_, more, wanted) => {
  const { asked, verbs } = recorder();
  const args = words("ceiling", "set", "managed", "--allow", "agent.update", ...more);
  expect(await call("", { verbs, args })).toMatchObject({ code: 0 });
  expect(asked).toEqual([["setCeiling", { root: "/", level: "managed", allow: ["agent.update"], ...wanted }]]);
});

test("a host that lets nothing be changed may send logs all the same", async () => {
  const { asked, verbs } = recorder();
  expect(await call("ceiling set monitor --logs nginx.service", { verbs })).toMatchObject({ code: 0 });
  expect(asked).toEqual([["setCeiling", { root: "/", level: "monitor", allow: [], sendLogs: ["nginx.service"] }]]);
});

test("the trust file is shown, and set anew with the keys that are named", async () => {
  const { asked, verbs } = recorder();
  await call("trust show --root /x", { verbs });
  await call("", { verbs, args: words("trust", "reset", "--approver", "ssh-ed25519 AAAA ada") });
  expect(asked).toEqual([
    ["showTrust", { root: "/x" }],
    ["resetTrust", { root: "/", approvers: { lines: ["ssh-ed25519 AAAA ada"], fingerprints: [] } }],
  ]);
});

test("the clock is reset for the host, and for nothing else", async () => {
  const { asked, verbs } = recorder();
  await call("clock reset --root /x", { verbs });
  expect(asked).toEqual([["resetClock", { root: "/x" }]]);
});

test("a file is explained as it stands, and one that cannot be read is said to be so", async () => {
  const { asked, verbs } = recorder();
  const directory = mkdtempSync(join(tmpdir(), "gha-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, "plan.json");
  writeFileSync(file, "{}\n");
  expect(await call(`helper explain ${file} --root /x`, { verbs })).toMatchObject({ code: 0 });
  expect(asked).toEqual([["explain", { root: "/x", bytes: Buffer.from("{}\n") }]]);
  for (const other of [directory, join(directory, "none")]) {
    expect(await call(`helper explain ${other}`, { verbs })).toMatchObject({
      code: 2,
      err: expect.stringMatching(/cannot be read \((EISDIR|ENOENT)\)/),
    });
  }
  expect(asked).toHaveLength(1);
});

const task = `task_${"0".repeat(25)}1`;

test.each([
  ["rollback --root /x", ["rollback", { root: "/x" }]],
  ["boot --root /x", ["boot", { root: "/x" }]],
  [`deadman check --task ${task}`, ["checkDeadman", { root: "/", task }]],
  [`deadman run --task ${task} --root /x`, ["runDeadman", { root: "/x", task }]],
])("`gatehouse-agent %s` asks for just that", async (line, wanted) => {
  const { asked, verbs } = recorder();
  expect(await call(line, { verbs })).toMatchObject({ code: 0 });
  expect(asked).toEqual([wanted]);
});

test.each([
  ["ceiling set", "LEVEL is missing"],
  ["helper explain", "FILE is missing"],
  ["ceiling set all", "LEVEL is monitor or managed"],
  ["ceiling set monitor --allow agent.update", "leave out --allow"],
  ["ceiling set managed", "at least one --allow"],
  ["ceiling set monitor --approver x", "leave out --approver"],
  ["ceiling set monitor --server-trusted", "leave out --server-trusted"],
  ["ceiling set monitor --read-log none", "leave out --read-log"],
  ["ceiling set managed --allow agent.update --read-log none,a.service", "give no other"],
  ["ceiling set monitor --logs none,a.service", "--logs none takes all away: give no other"],
  ["ceiling set monitor --keep tcp/22:::/0", "leave out --keep"],
  [
    "ceiling set managed --allow agent.update --approver x --server-trusted",
    "--approver or --server-trusted, not both",
  ],
  ["ceiling set managed --allow agent.update --fingerprint x", "--fingerprint belongs to --approver"],
  ["ceiling set managed --allow agent.update --publisher a=b", "--publisher belongs to --approver"],
  ["ceiling set monitor --publisher a=b", "leave out --publisher"],
  ["trust reset", "name at least one --approver"],
  ["deadman run", "name the change with --task"],
  ["deadman check --task ../x", "name the change with --task"],
  ["enrol", "give the code, or --code-file FILE"],
  ["enrol x --code-file y", "give the code, or --code-file FILE"],
  ["enroll x", "did you mean enrol?"],
  ["status --rot /x", "there is no option --rot"],
])("`gatehouse-agent %s` is refused: %s", async (line, problem) => {
  const { asked, verbs } = recorder();
  expect(await call(line, { verbs })).toMatchObject({ code: 2, out: "", err: expect.stringContaining(problem) });
  expect(asked).toEqual([]);
});

test.each([
  ["host.not_root", 4],
  ["host.not_enrolled", 5],
  ["identity.cloned", 5],
  ["enrol.unreachable", 3],
  ["deadman.nothing", 65],
  ["agent.command_failed", 1],
] as const)("%s ends with %i", async (code, exit) => {
  const { verbs } = recorder(() => Promise.reject(fault(code, "because")));
  expect(await call("status", { verbs })).toMatchObject({
    code: exit,
    err: expect.stringContaining(`${code}: because`),
  });
});

test("a defect is named without a place in the source", async () => {
  const { verbs } = recorder(() => Promise.reject(new TypeError("no such thing")));
  const { code, err } = await call("status", { verbs });
  expect(code).toBe(1);
  expect(err).toContain("defect: TypeError: no such thing\n");
  expect(err).not.toContain(".ts");
});

test.each(["BUN_OPTIONS", "NODE_OPTIONS", "NODE_TLS_REJECT_UNAUTHORIZED", "LD_PRELOAD", "BUN_BE_BUN"])(
  "with %s in the environment nothing is done",
  async (name) => {
    const { asked, verbs } = recorder();
    const { code, err } = await call("status", { verbs, environment: { [name]: "" } });
    expect({ code, asked }).toEqual({ code: 1, asked: [] });
    expect(err).toContain(`agent.environment_refused: ${name} must not be set`);
  },
);

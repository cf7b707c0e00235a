import { isUtf8 } from "node:buffer";
import { expect, test } from "vitest";
import { counts } from "./support/chance.ts";
import { runCli } from "./support/cli.ts";
import { call, newPerson, newToken, readAudit } from "./support/people.ts";
import { askForPlan, move, newPlan, plannedHost, restartNginx, shownPlan } from "./support/plans.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { puppetBody, puppetInput, type Said } from "./support/puppet-plugin.ts";
import { activate, makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { actsOnReaders, actsOnTerminals, terminalEscapes, textsIn } from "./support/terminal-escapes.ts";
import { count, tried } from "./support/tried.ts";

/**
 * kubectl, Mattermost, gh: what a stranger wrote was printed as it was, and the terminal that showed it obeyed. A plugin's words
 * are kept in four places: its last errors, the audit log, the server's log and the answer to whoever asked.
 */
const id = "acme-puppet";
const place = await makeTrustingPlace();
await placeShell(place, id, puppetBody, { capabilities: ["kv:write", "log:write"] });
const started = await sharedPlugins(place);
const { port, server, owner } = started;
await activate(started, id);

const inJson = (text: string) => JSON.stringify(text.toWellFormed());
const message = (rest: string) => `{"jsonrpc":"2.0",${rest}}\n`;
/** Every way in which a plugin's words get further than its own process. */
const ways: Readonly<Record<string, (text: string) => Said>> = {
  "standard error": (text) => ({ stderr: text, code: 3 }),
  "standard error that looks like the launcher's": (text) => ({ stderr: `bwrap: ${text}`, code: 3 }),
  "the message of an error": (text) => ({ stdout: message(`"id":0,"error":{"code":1,"message":${inJson(text)}}`) }),
  "a field that no answer has": (text) => ({ stdout: message(`"id":0,"result":{${inJson(text)}:1}`) }),
  "a field inside a plan": (text) => ({
    stdout: message(`"id":0,"result":{"title":"a","summary":"b","sections":[{${inJson(text)}:{}}]}`),
  }),
  "the title of a plan": (text) => ({
    stdout: message(`"id":0,"result":{"title":${inJson(text)},"summary":"b","sections":[]}`),
  }),
  "a line of the log": (text) => ({
    stdout: message(`"id":1,"method":"log.write","params":{"level":"error","message":${inJson(text)}}`),
  }),
  "the name of a method": (text) => ({ stdout: message(`"id":1,"method":${inJson(text.slice(0, 64))},"params":{}`) }),
  "a key": (text) => ({
    stdout: message(`"id":1,"method":"kv.put","params":{"key":${inJson(text)},"value":${inJson(text)}}`),
  }),
  "a line that is no JSON": (text) => ({ stdout: `${text.replaceAll("\n", "")}\n` }),
};
/** 0x9b begins a control sequence on terminals of eight bits, and is no UTF-8. */
const rawBytes: Said[] = [
  { stderr: Buffer.from([0x61, 0x9b, 0x32, 0x4a, 0x9d, 0x35, 0x32, 0x9c, 0xff, 0xc0, 0xed, 0xa0, 0x80]), code: 3 },
  { stdout: Buffer.from([0x22, 0x9b, 0x32, 0x4a, 0x22, 0x0a]) },
  { stderr: "\u0007".repeat(60_000), code: 3 },
];

test("whatever a plugin says is kept and shown as text, and never as orders to a terminal", async (context) => {
  // Each alone in the long run; in the short one a few together, as much as a reason has room for.
  const texts = chunks(terminalEscapes, counts["79 escapes in one text"]).map((group) => group.join(" "));
  const cases = [...texts.flatMap((text) => Object.values(ways).map((way) => way(text))), ...rawBytes];
  let asked = 0;
  for (const said of cases) {
    const { raw } = await started.ask(id, "plan", puppetInput(said));
    expect(raw.status, raw.body.toString()).toBe(422);
    expectInert(raw.body);
    asked += 1;
    // Five failures in a row would open the breaker; its own words are looked at below.
    if (asked % 4 === 0) expect((await started.ask(id, "health")).status).toBe(200);
    if (asked % 4 === 3) expectInert((await call(port, "GET", "/api/plugins/lifecycle", owner)).raw.body);
  }
  expectInert((await call(port, "GET", "/api/audit?limit=200", owner)).raw.body);
  const reasons = (await readAudit(port, owner.as)).filter(({ action }) => action === "plugin.answered");
  expect(reasons.length).toBeGreaterThan(cases.length);
  expect(textsIn(reasons).filter((text) => actsOnReaders.test(text))).toEqual([]);
  tried(context, `${count(cases.length, "sayings")} in ${count(Object.keys(ways).length, "ways")}`);
});

test("the server's log and the command line print none of it", async (context) => {
  const all = terminalEscapes.join(" ");
  for (let time = 0; time < 5; time += 1)
    await started.ask(id, "plan", puppetInput(ways["the message of an error"]?.(all) ?? {}));
  const open = await started.ask(id, "health");
  expect(open.code).toBe("plugin.breaker_open");
  expectInert(open.raw.body);
  const { token } = await newToken(port, owner, ["plugin:admin", "audit:read"]);
  const env = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: `http://127.0.0.1:${port}` };
  const words = [
    ["plugin", "show", id],
    ["audit", "search", "--subject", `plugin/${id}`],
  ];
  const commands = [[], ["--json"]]
    .slice(0, counts["79 formats"])
    .flatMap((more) => words.map((command) => [...command, ...more]));
  const runs = await Promise.all(commands.map((command) => runCli(command, { env })));
  for (const [at, { code, stdout, stderr }] of runs.entries()) {
    expect([code, stderr], commands[at]?.join(" ")).toEqual([0, ""]);
    expect(stdout.length).toBeGreaterThan(200);
    expect(stdout).not.toMatch(actsOnTerminals);
  }
  const log = server.stdout();
  expect(log).toContain("plugin says");
  expect(log).not.toMatch(actsOnTerminals);
  expect(server.stderr()).toBe("");
  tried(context, `${count(commands.length, "commands")}, ${count(log.split("\n").length - 1, "lines of the log")}`);
});

test("nor does anything that a plan or a host says", async (context) => {
  const author = await newPerson(port, owner, "operator");
  const host = await plannedHost(port, owner);
  const nodes = [host.nodeId];
  for (const text of terminalEscapes) {
    for (const more of [{ title: text }, { summary: text }]) {
      const made = await askForPlan(port, author.as, { ...restartNginx, nodes, ...more });
      expect(made.code, inJson(text)).toBe("request.malformed");
      expectInert(made.raw.body);
    }
  }
  // What a file is to hold is shown to whoever approves it.
  const all = terminalEscapes.join(" ");
  const write = { kind: "file.write", path: "/srv/motd", mode: "0644", owner: "root", group: "root" };
  const operations = [{ ...write, text: `${all}\n` }];
  const spoilt = await askForPlan(port, author.as, { ...restartNginx, operations, nodes });
  expect(spoilt.code).toBe("request.malformed");
  expectInert(spoilt.raw.body);
  const plan = await newPlan(port, author.as, { ...restartNginx, nodes });
  await move(port, owner.as, plan.id, { deed: "approvals", body: { server: true } });
  await move(port, owner.as, plan.id, { deed: "apply" });
  const { task } = await host.nextTask();
  host.connection.send({ t: "task-refused", task, code: "ceiling.refused", detail: all.slice(0, 400) });
  await expect.poll(async () => (await shownPlan(port, owner.as, plan.id)).state).toBe("done");
  expectInert((await call(port, "GET", `/api/plans/${plan.id}/tasks`, owner)).raw.body);
  const { token } = await newToken(port, owner, ["plan:read", "node:read"]);
  const env = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: `http://127.0.0.1:${port}` };
  const commands = ["list", "show", "watch"].map((verb) => ["plan", verb, ...(verb === "list" ? [] : [plan.id])]);
  for (const command of commands) {
    const { stdout, stderr } = await runCli(command, { env });
    expect(stdout.length, stderr).toBeGreaterThan(40);
    expect(`${stdout}${stderr}`, command.join(" ")).not.toMatch(actsOnTerminals);
  }
  tried(context, `${count(terminalEscapes.length * 2 + 1, "texts of plans")}, ${count(commands.length, "commands")}`);
});

test("the searches find what they look for", () => {
  for (const text of terminalEscapes) expect(text, inJson(text)).toMatch(actsOnReaders);
  expect("plain text, Grüße, 漢字\n\tmore").not.toMatch(actsOnReaders);
  expect("a\u001bb").toMatch(actsOnTerminals);
  expect(textsIn({ a: ["b", { c: "d" }] })).toEqual(["a", "0", "b", "1", "c", "d"]);
});

/** Both as it stands on a screen and as whoever parses it gets it. */
function expectInert(body: Buffer): void {
  expect(isUtf8(body)).toBe(true);
  expect(body.toString()).not.toMatch(actsOnTerminals);
  expect(textsIn(JSON.parse(body.toString())).filter((text) => actsOnReaders.test(text))).toEqual([]);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, at) => items.slice(at * size, (at + 1) * size));
}

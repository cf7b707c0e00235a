import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { readdirSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { childEnvironment } from "../support/child-environment.ts";
import { stopMs } from "../support/stopped.ts";
import { everyCommand, runInProcess } from "./inside/command-line.ts";
import { Chance, counts } from "./support/chance.ts";
import { runCli } from "./support/cli.ts";
import { newToken } from "./support/people.ts";
import { sharedPlugins } from "./support/plugins.ts";
import { repository } from "./support/server.ts";
import { activate, makeTrustingPlace, placeShell } from "./support/shell-plugin.ts";
import { count, tried } from "./support/tried.ts";

/**
 * Jenkins: an argument that began with @ was replaced by the file of that name, and a stranger read the server's files. Tested
 * here: the command line, the server's own arguments, and the one word a plugin is started with.
 */
const id = "acme-words";
const place = await makeTrustingPlace();
await placeShell(
  place,
  id,
  `case "$1" in
  plan) printf '%s|%s|%s' "$#" "$1" "$line" >&2; exit 3 ;;
  *) answer "{\\"status\\":\\"ok\\",\\"message\\":\\"$# words, the first is $1\\"}" ;;
esac`,
);
const started = await sharedPlugins(place);
await activate(started, id);

const canary = "canary-of-a-file-nobody-named";
const desk = join(place.path, "desk");
await mkdir(desk);
const secret = join(desk, "secret");
await writeFile(secret, `${canary}\n`);
// Directories that are there, so that whoever takes their names for more than names gets to try.
for (const name of ["@secret", "file:data?vfs=unix-none"]) await mkdir(join(desk, name), { mode: 0o700 });

/** All that some program somewhere takes for a file, for standard input or for an option. */
const all = [
  `@${secret}`,
  "@secret",
  "@-",
  "@",
  "@@secret",
  "-",
  "--",
  "-f",
  "-@secret",
  `--file=${secret}`,
  `--config=@${secret}`,
  `--@${secret}`,
  "-rsecret",
  `<${secret}`,
  `file://${secret}`,
  "file:data?vfs=unix-none",
  `$(cat ${secret})`,
  `\`cat ${secret}\``,
  "%secret",
  "+secret",
  "secret*",
];
/** Some of them in the short run, and with another seed other ones. */
const words = new Chance("words").sample(all, counts["45 words"]);

test("no argument and no option of any command is replaced by a file's content, printed or sent", async (context) => {
  await using recorder = await startRecorder();
  const { token } = await newToken(started.port, started.owner, ["plugin:admin", "plugin:invoke", "audit:read"]);
  const environment = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: recorder.url, HOME: desk, XDG_CONFIG_HOME: desk };
  const home = process.cwd();
  let runs = 0;
  // Commands that write write here; what they make is thrown away.
  process.chdir(desk);
  try {
    for (const command of everyCommand) {
      for (const args of words.flatMap((word) => argumentLists(command, word))) {
        const { said } = await runInProcess(args, environment);
        runs += 1;
        expect(said, args.join(" ")).not.toContain(canary);
        expect(said, args.join(" ")).not.toContain("defect");
      }
    }
  } finally {
    process.chdir(home);
  }
  expect(recorder.heard()).not.toContain(canary);
  expect(await readFile(secret, "utf8")).toBe(`${canary}\n`);
  // Nothing was made under half of a name.
  expect(readdirSync(desk).filter((name) => ["data", "secret.lock"].includes(name))).toEqual([]);
  tried(
    context,
    `${count(runs, "argument lists")} of ${count(everyCommand.length, "commands")}, ${count(recorder.requests(), "requests")} sent`,
  );
});

test("nor by the processes themselves, nor by the server's", async (context) => {
  const main = join(repository, "apps/server/src/main.ts");
  const env = childEnvironment({ SERVICE_DATA_DIR: join(desk, "data") });
  const server = (...args: string[]) =>
    new Promise<string>((done) => {
      execFile(process.execPath, [main, ...args], { env, cwd: desk, timeout: stopMs }, (_, out, err) =>
        done(out + err),
      );
    });
  const cli = async (...args: string[]) => {
    const { code, stdout, stderr } = await runCli(args, { cwd: desk });
    return `${code} ${stdout}${stderr}`;
  };
  const more = [
    () => server("--help", "@secret"),
    () => cli("@secret"),
    () => cli("plugin", "show", "--", "--file=secret"),
  ];
  const said = await Promise.all([
    server("@secret"),
    cli("plugin", "show", "@secret"),
    ...more.slice(0, counts["45 more processes"]).map((start) => start()),
  ]);
  expect(said.join("")).not.toContain(canary);
  // Each is repeated as it was given: it was looked at as a word.
  expect(said.map((text) => /@secret|--file=secret/.test(text))).toEqual(said.map(() => true));
  expect(said[0]).toMatch(/takes --help, --version or nothing; found @secret/);
  tried(context, count(said.length, "processes"));
});

test("an action is one of three words, and what else a plugin is given comes over its input as it was sent", async (context) => {
  for (const word of [...words, "health --json", "health\n", "HEALTH", "apply", "describe/../plan", "..", ""]) {
    const { status, code } = await started.ask(id, encodeURIComponent(word));
    expect([400, 404], `${word}: ${code}`).toContain(status);
  }
  expect((await started.find(id))?.runtime.actions).toBe(0);
  for (const action of ["describe", "health"] as const) {
    const { body } = await started.ask(id, action);
    if (action === "health") expect(body.result).toEqual({ status: "ok", message: "1 words, the first is health" });
  }
  for (const word of words) {
    expect((await started.ask(id, "plan", word)).code).toBe("plugin.action_failed");
    const request = { jsonrpc: "2.0", id: 0, method: "plan", params: { input: word, nodes: [] } };
    expect((await started.find(id))?.runtime.lastErrors[0]?.stderr).toBe(`1|plan|${JSON.stringify(request)}`);
    // A success between failures, so that the breaker stays closed.
    expect((await started.ask(id, "health")).status).toBe(200);
  }
  tried(context, `${count(words.length + 7, "names of actions")}, ${count(words.length, "inputs")}`);
});

interface Declared {
  readonly name: string;
  readonly arguments: Readonly<Record<string, { readonly optional?: true }>>;
  readonly flags: Readonly<Record<string, { readonly value?: string; readonly required?: true }>>;
}

/** The word in the place of every argument, behind `--` too, and of every option's value; the rest is ordinary. */
function argumentLists({ name, arguments: declared, flags }: Declared, word: string): string[][] {
  const begin = name.split(" ");
  const required = Object.entries(flags).flatMap(([flag, row]) => (row.required === true ? [`--${flag}=x`] : []));
  const places = Object.keys(declared);
  const ordinary = places.map(() => "acme-words");
  return [
    ...places.flatMap((_, at) => [
      [...begin, ...ordinary.with(at, word), ...required],
      [...begin, ...required, "--", ...ordinary.with(at, word)],
    ]),
    ...Object.entries(flags).flatMap(([flag, row]) =>
      row.value === undefined
        ? []
        : [[...begin, ...ordinary, ...required.filter((one) => one !== `--${flag}=x`), `--${flag}=${word}`]],
    ),
    [...begin, word],
  ];
}

/** A server that keeps all it is told and knows nothing. */
async function startRecorder() {
  let heard = "";
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    heard += `${request.method} ${request.url} ${JSON.stringify(request.headers)}\n`;
    request.setEncoding("utf8").on("data", (text: string) => (heard += text));
    request.on("end", () => {
      response.writeHead(404, { "Content-Type": "application/problem+json" });
      response.end(
        JSON.stringify({ type: "about:blank", title: "No", status: 404, code: "request.unknown", detail: "no" }),
      );
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    heard: () => heard,
    requests: () => requests,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

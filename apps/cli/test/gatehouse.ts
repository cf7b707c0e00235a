import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { commands } from "../src/command-table.ts";
import { run as runCommand } from "../src/run.ts";
import { noTerminal } from "./no-terminal.ts";
import { type Ended, Program } from "./program.ts";
import { root } from "./real-server.ts";

const cli = join(root, "apps/cli/src/main.ts");

interface More {
  /** What stands on standard input. */
  readonly input?: string;
  readonly env?: Record<string, string>;
}

/** Somebody with a home directory of their own who runs `gatehouse`. Words of a line are separated by single blanks. */
export interface Person {
  readonly sessionFile: string;
  /** Runs a command inside the test's own process, which is faster; there is no terminal. */
  run(line: string, more?: More): Promise<Ended>;
  /** The document of a command with --json. */
  json(line: string, more?: More): Promise<Document>;
  /** Runs a command as a program of its own. */
  start(line: string, more?: More): Promise<Ended>;
  /** Runs a line of shell, in which `gatehouse` is this program, on a terminal of its own, through script(1). */
  onTerminal(line: string): Program;
}

export interface Document {
  readonly code: number | null;
  readonly [field: string]: unknown;
}

export async function newPerson(server: string): Promise<Person> {
  const home = await mkdtemp(join(tmpdir(), "gatehouse-home-"));
  onTestFinished(() => rm(home, { recursive: true }));
  const environment = childEnvironment({ HOME: home, GATEHOUSE_SERVER: server });
  const run: Person["run"] = async (line, { input = "", env = {} } = {}) => {
    const said = { out: "", err: "" };
    const screen = (name: "out" | "err") => ({ write: (part: string) => void (said[name] += part) });
    const deps = {
      commands,
      environment: { ...environment, ...env },
      streams: { out: screen("out"), err: screen("err"), colour: false },
      terminal: { ...noTerminal, readStandardInput: () => Promise.resolve(input) },
    };
    return { code: await runCommand(deps, line.split(" ")), ...said };
  };
  return {
    sessionFile: join(home, ".config/gatehouse/session.json"),
    run,
    json: async (line, more) => {
      const { code, out, err } = await run(`${line} --json`, more);
      if (out === "") throw new Error(`gatehouse ${line} printed no document: ${err}`);
      return { ...(JSON.parse(out) as object), code };
    },
    start: (line, { input = "", env = {} } = {}) => {
      const program = new Program(process.execPath, [cli, ...line.split(" ")], {
        cwd: home,
        env: { ...environment, ...env },
      });
      program.child.stdin?.end(input);
      return program.ended;
    },
    onTerminal: (line) => {
      const command = `gatehouse() { "$NODE" "$CLI" "$@"; }; ${line}`;
      // Without a terminal of its own, script turns echo off in the one it makes; the tests are about what is echoed.
      const program = new Program(
        "script",
        ["--quiet", "--return", "--echo", "always", "--command", command, "/dev/null"],
        {
          cwd: home,
          env: { ...environment, NODE: process.execPath, CLI: cli, SHELL: "/bin/sh", TERM: "xterm" },
        },
      );
      onTestFinished(() => void program.child.kill("SIGKILL"));
      return program;
    },
  };
}

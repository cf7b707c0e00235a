import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { Random } from "../../support/random.ts";
import { inScratch } from "../../support/scratch.ts";
import { stopped } from "../../support/stopped.ts";
import { until } from "../../support/until.ts";
import { childEnvironment } from "../../support/child-environment.ts";
import type { AttackedHost } from "../attacked-host.ts";
import type { EvilCase } from "../evil-case.ts";
import { findChanges } from "../host-state.ts";
import { type HelperCommand, type RunningAgent, startParts } from "../running-agent.ts";
import { StolenServer } from "../stolen-server.ts";
import type { Found } from "./found.ts";
import type { RowGround, ScriptRow } from "./row.ts";
import { type HostWish, makeRowHost, openRowHost, type RowHost } from "./row-host.ts";

/** What a row came to. */
export interface Verdict {
  readonly found: readonly Found[];
  /** Answers that were not expected, and lines that are missing in the host's log. */
  readonly wrong: readonly string[];
  /** What of a host is otherwise than before. */
  readonly changes: readonly string[];
}

export interface RunRowDeps {
  /** The agent: the one file that hosts run, or its sources. */
  readonly program: HelperCommand;
  readonly seed: number;
}

/** Runs one row, on hosts of its own. */
export function runRow(deps: RunRowDeps, row: Omit<ScriptRow, "row">, number: number): Promise<Verdict> {
  return inScratch(async (directory) => {
    const ground = new Ground(deps, directory, new Random(deps.seed, number));
    let found: readonly Found[];
    try {
      const answers = await stopped(`row ${number}`, row.attack(ground));
      found = Array.isArray(answers) ? answers : [answers as Found];
    } finally {
      await ground.close();
    }
    const wrong = [...findWrong(row.expects, found), ...ground.findUnlogged(found)];
    return { found, wrong, changes: ground.changes.filter((change) => row.mayChange?.test(change) !== true) };
  });
}

function findWrong(expects: ScriptRow["expects"], found: readonly Found[]): string[] {
  const wanted = typeof expects === "string" ? found.map(() => expects) : expects;
  const isSame = found.length === wanted.length && found.every(({ code }, at) => code === wanted[at]);
  if (isSame && found.length > 0) return [];
  const said = found.map(({ code, detail, at }) => `${code} at ${at} (${detail.slice(0, 160)})`);
  return [`expected ${wanted.join(", ") || String(expects)}, found ${said.join("; ") || "nothing"}`];
}

class Ground implements RowGround {
  readonly random: Random;
  readonly changes: string[] = [];
  readonly #deps: RunRowDeps;
  readonly #directory: string;
  readonly #opened: { readonly wish: HostWish; readonly host: RowHost }[] = [];
  #count = 0;

  constructor(deps: RunRowDeps, directory: string, random: Random) {
    this.#deps = deps;
    this.#directory = directory;
    this.random = random;
  }

  readonly open = async (wish: HostWish = {}): Promise<RowHost> => {
    // The next attempt on a host of the same form is made on the same one; its helper has counted nothing.
    const same = this.#opened.find((each) => wish.before === undefined && isSameWish(each.wish, wish));
    if (same !== undefined) {
      await same.host.restart();
      return same.host;
    }
    const host = await openRowHost(this.#newDirectory(), this.#deps.program, this.random, wish);
    this.#opened.push({ wish, host });
    return host;
  };

  readonly connect = async (evil: EvilCase, wish: HostWish = {}): Promise<Found> => {
    const server = new StolenServer();
    const directory = this.#newDirectory();
    const url = await server.listen();
    const { host, before } = await makeRowHost(directory, { server: { url, key: server.publicKey }, ...wish });
    server.attack([{ evil, random: this.random }]);
    const agent = await startParts(host, this.#deps.program, "run");
    try {
      const heard = evil.answer === undefined ? firstEnd(agent) : firstAnswer(server);
      return await Promise.race([heard, agent.lost.then((what) => ({ code: "lost", detail: what, at: "run" }))]);
    } finally {
      const { ended } = agent;
      agent.kill();
      await ended;
      await server.close();
      this.changes.push(...findChanges(before, directory));
    }
  };

  readonly command = async (wish: HostWish, args: readonly string[], input = ""): Promise<Found> => {
    const directory = this.#newDirectory();
    const { host, before } = await makeRowHost(directory, wish);
    const agent = await startParts(host, this.#deps.program);
    try {
      const { code, said } = await runCommand(host, [...this.#deps.program, ...args, "--root", host.paths.root], input);
      const refused =
        /"code":\s*"([a-z_.]+)"/.exec(said)?.[1] ??
        /\b(?:enrol|key|identity|hello|host|agent)\.[a-z_]+\b/.exec(said)?.[0];
      return { code: code === 0 ? "answered" : (refused ?? "nothing"), detail: said.trim(), at: args[0] ?? "" };
    } finally {
      const { ended } = agent;
      agent.kill();
      await ended;
      this.changes.push(...findChanges(before, directory));
    }
  };

  /** A refusal of a change stands in the host's own log, by its name. */
  findUnlogged(found: readonly Found[]): string[] {
    const lines = this.#opened.flatMap(({ host }) => host.lines);
    return found
      .filter(({ at, code }) => at === "task.submit" && code !== "answered" && !isOfForm(code))
      .filter(({ code }) => !lines.some((line) => line.includes(`: ${code}: `)))
      .map(({ code }) => `the host's log does not name ${code}`);
  }

  async close(): Promise<void> {
    for (const { host } of this.#opened) this.changes.push(...(await host.close()));
  }

  #newDirectory(): string {
    this.#count += 1;
    const directory = join(this.#directory, String(this.#count));
    mkdirSync(directory);
    return directory;
  }
}

function isSameWish(one: HostWish, other: HostWish): boolean {
  return one.before === undefined && one.ceiling === other.ceiling && one.trust === other.trust;
}

/** What is no change at all is told to whoever asked, and to nobody else. */
function isOfForm(code: string): boolean {
  return code === "task.malformed" || code.startsWith("local.");
}

const ending = /^not connected: ([^ :]+): (.*); the next attempt is in \d+ seconds$/s;

/** How the agent calls the end of its first connection. */
async function firstEnd(agent: RunningAgent): Promise<Found> {
  const findEnd = () => agent.lines.map((line) => ending.exec(line)).find((match) => match !== null);
  await until("the agent's log", () => findEnd() !== undefined);
  const [, code = "", detail = ""] = findEnd() ?? [];
  return { code, detail, at: "run" };
}

async function firstAnswer(server: StolenServer): Promise<Found> {
  await until("the agent's answer", () => server.answers.length > 0);
  const said = server.answers[0]?.said;
  if (said === undefined) return { code: "closed", detail: "the connection ended before the answer", at: "run" };
  if (!("code" in said) || !("detail" in said)) return { code: "answered", detail: JSON.stringify(said), at: said.t };
  return { code: said.code, detail: said.detail, at: said.t };
}

/** A command of the agent as root starts it, to its end. */
async function runCommand(
  host: AttackedHost,
  [program = "", ...args]: readonly string[],
  input: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(program, args, { env: childEnvironment({ ...host.environment }), cwd: host.startedIn });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (bytes: Buffer) => (said += bytes.toString("utf8")));
  child.stdin.end(input);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, said };
}

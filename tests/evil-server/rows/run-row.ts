import { channelLimits } from "@gatehouse/channel";
import { asAgentArguments } from "../../../apps/agent/src/host/run-as-agent.ts";
import { Random } from "../../support/random.ts";
import { stopped } from "../../support/stopped.ts";
import { until } from "../../support/until.ts";
import type { EvilCase } from "../evil-case.ts";
import { usualTrust } from "./approvers.ts";
import type { AttackedMachine, RootsWord } from "./attacked-machine.ts";
import type { Found } from "./found.ts";
import type { RowGround, ScriptRow } from "./row.ts";
import { type Asked, type HostWish, RowHost, signedCeiling } from "./row-host.ts";

/** What a row came to. */
export interface Verdict {
  readonly found: readonly Found[];
  /** Answers that were not expected, and what the host's log should not have. */
  readonly wrong: readonly string[];
  /** What of the host is otherwise than before, besides what the row says. */
  readonly changes: readonly string[];
  /** What is otherwise as the row says. */
  readonly effects: readonly string[];
  /** What the host has written to its log about the first refusal. */
  readonly logged: string;
}

/** Runs one row on a host that nobody else is at. */
export async function runRow(
  machine: AttackedMachine,
  row: Omit<ScriptRow, "row">,
  { seed, number }: { readonly seed: number; readonly number: number },
): Promise<Verdict> {
  const ground = new Ground(machine, new Random(seed, number));
  const from = machine.lines.length;
  let found: readonly Found[];
  try {
    const answers = await stopped(`row ${number}`, row.attack(ground));
    found = Array.isArray(answers) ? (answers as readonly Found[]) : [answers as Found];
  } finally {
    await ground.close();
  }
  const { changes } = ground;
  const isEffect = (change: string) => row.mayChange?.test(change) === true;
  const effects = changes.filter(isEffect);
  const missing =
    row.mayChange !== undefined && effects.length === 0 ? [`nothing has changed as ${row.mayChange}`] : [];
  await untilLogged(machine, from, found);
  const lines = machine.lines.slice(from);
  return {
    found,
    wrong: [...findWrong(row.expects, found), ...missing, ...lines.filter(isLoss)],
    changes: changes.filter((change) => !isEffect(change)),
    effects,
    logged: lines.find((line) => line.includes(`: ${found[0]?.code}: `)) ?? "",
  };
}

/** No part of the agent may be lost by what it is sent. Who kills it is we, or the program that takes a change back. */
function isLoss(line: string): boolean {
  return line.includes("defect") || /Main process exited, (?!code=killed, status=9\/KILL)/.test(line);
}

function findWrong(expects: ScriptRow["expects"], found: readonly Found[]): string[] {
  const wanted = typeof expects === "string" ? found.map(() => expects) : expects;
  const isSame = found.length === wanted.length && found.every(({ code }, at) => code === wanted[at]);
  if (isSame && found.length > 0) return [];
  const said = found.map(({ code, detail, at }) => `${code} at ${at} (${detail.slice(0, 160)})`);
  return [`expected ${wanted.join(", ") || String(expects)}, found ${said.join("; ") || "nothing"}`];
}

/** So many changes in a minute are judged, and an offer is two of them. */
const judgedTasks = 12 - 2;

class Ground implements RowGround {
  readonly random: Random;
  readonly machine: AttackedMachine;
  readonly changes: string[] = [];
  readonly #asked: Asked = { tasks: 0, states: 0 };
  #laid: HostWish | undefined;

  constructor(machine: AttackedMachine, random: Random) {
    this.machine = machine;
    this.random = random;
  }

  readonly open = async (wish: HostWish = {}): Promise<RowHost> => {
    const { tasks, states } = this.#asked;
    // Before a limit is reached, which would stand for what is tried.
    const isSpent = tasks > judgedTasks || states >= channelLimits.statesPerMinute;
    if (isSpent || !isSameWish(this.#laid, wish)) await this.#lay(wish);
    return new RowHost(this.machine, wordOf(wish).trust, this.random, this.#asked);
  };

  readonly connect = async (evil: EvilCase, wish: HostWish = {}): Promise<Found> => {
    const { machine } = this;
    const { server } = machine;
    if (isSameWish(this.#laid, wish)) await machine.forgetConnection();
    else await this.#lay(wish);
    const [from, answered] = [machine.lines.length, server.answers.length];
    server.attack([{ evil, random: this.random }]);
    await machine.startAgent();
    if (evil.answer === undefined) return firstEnd(machine, from);
    await until("the agent's answer", () => server.answers.length > answered);
    const said = server.answers.at(-1)?.said;
    if (said === undefined) return { code: "closed", detail: "the connection ended before the answer", at: "run" };
    if (!("code" in said) || !("detail" in said)) return { code: "answered", detail: JSON.stringify(said), at: said.t };
    return { code: said.code, detail: said.detail, at: said.t };
  };

  readonly command: RowGround["command"] = async (wish, args, input = () => "") => {
    if (this.#laid !== wish) await this.#lay(wish);
    const { host } = this.machine;
    const words = ["systemd-run", ...asAgentArguments("/usr/lib/gatehouse/gatehouse-agent", args)];
    const { code, stdout, stderr } = await host.runWith(input(this.machine), ...words);
    // systemd takes the /tmp of its own away behind the end of the unit.
    await until("nothing of the program's own /tmp is left", async () => {
      return !/^systemd-private-\w+-run-.+\.service-/m.test(await host.shell("ls -A /tmp /var/tmp"));
    });
    const said = `${stdout}${stderr}`.trim();
    const refused =
      /"code":\s*"([a-z_.]+)"/.exec(said)?.[1] ??
      /\b(?:enrol|key|identity|hello|host|agent)\.[a-z_]+\b/.exec(said)?.[0];
    return { code: code === 0 ? "answered" : (refused ?? "nothing"), detail: said, at: args[0] ?? "" };
  };

  async close(): Promise<void> {
    if (this.#laid === undefined) return;
    await this.machine.stopParts();
    this.changes.push(...(await this.machine.takeChanges()));
  }

  /** Before the host is laid anew it is held against what it was. */
  async #lay(wish: HostWish): Promise<void> {
    await this.close();
    Object.assign(this.#asked, { tasks: 0, states: 0 });
    await this.machine.lay(wordOf(wish), wish.before);
    this.#laid = wish;
  }
}

function wordOf({ ceiling = signedCeiling, trust = usualTrust }: HostWish): RootsWord {
  return { ceiling: ceiling === "none written" ? undefined : ceiling, trust };
}

/** What somebody has done to a host is done for one attempt alone. */
function isSameWish(one: HostWish | undefined, other: HostWish): boolean {
  const hasNone = one?.before === undefined && other.before === undefined;
  return one !== undefined && hasNone && one.ceiling === other.ceiling && one.trust === other.trust;
}

/** What is no change at all is told to whoever asked, and to nobody else. */
function isOfForm(code: string): boolean {
  return code === "task.malformed" || code.startsWith("local.");
}

/** A refusal of a change stands in the host's own log, by its name. The log comes a moment later than the answer. */
async function untilLogged(machine: AttackedMachine, from: number, found: readonly Found[]): Promise<void> {
  const refused = found.filter(({ at, code }) => at === "task.submit" && code !== "answered" && !isOfForm(code));
  for (const code of new Set(refused.map((each) => each.code)))
    await machine.untilSaid(code, from, (line) => line.includes(`: ${code}: `));
}

const ending = /^not connected: ([^ :]+): (.*); the next attempt is in \d+ seconds$/s;

/** How the agent calls the end of its first connection. */
async function firstEnd(machine: AttackedMachine, from: number): Promise<Found> {
  const line = await machine.untilSaid("how a connection has ended", from, (said) => ending.test(said) || isLoss(said));
  const [, code = "lost", detail = line] = ending.exec(line) ?? [];
  return { code, detail, at: "run" };
}

import { faults } from "@gatehouse/contract/faults";
import { stopped } from "../support/stopped.ts";
import { until } from "../support/until.ts";
import { inScratch } from "../support/scratch.ts";
import { type AttackedHost, makeAttackedHost } from "./attacked-host.ts";
import type { WrittenCeiling } from "./ceilings.ts";
import type { EvilCase } from "./evil-case.ts";
import type { Finding } from "./harms.ts";
import { HelperRecorder, innerDoor } from "./helper-recorder.ts";
import { findChanges, type HostState, readHostState } from "./host-state.ts";
import type { RunningAgent } from "./running-agent.ts";
import { type LoadedCase, StolenServer } from "./stolen-server.ts";

export type StartAgent = (host: AttackedHost) => RunningAgent | Promise<RunningAgent>;

/** What an attack is told through: one host, and whatever is sent to its agent. */
export interface Attack {
  readonly host: AttackedHost;
  readonly agent: RunningAgent;
  /** Sends the cases, a connection each, then is honest again, and judges. */
  send(cases: readonly LoadedCase[]): Promise<Finding[]>;
  /** How the agent has called the ends of its connections. */
  readonly ends: ReadonlyMap<string, number>;
}

/** Attacks one host under one ceiling. What is found when its agent has stopped is given besides what `work` gives. */
export function underAttack(
  ceiling: WrittenCeiling,
  start: StartAgent,
  work: (attack: Attack) => Promise<Finding[]>,
): Promise<Finding[]> {
  return inScratch(async (directory) => {
    const server = new StolenServer();
    const url = await server.listen();
    const host = await makeAttackedHost(directory, ceiling, { url, key: server.publicKey });
    const recorder = new HelperRecorder(innerDoor(host.paths));
    await recorder.listen(host.paths.helperSocket);
    const judge = new Judge({ host, server, recorder });
    const agent = await start(host);
    try {
      const found = await work({
        host,
        agent,
        ends: judge.ends,
        send: async (cases) => {
          server.attack(cases);
          return judge.judge(agent);
        },
      });
      const stops = (await agent.stop()).map((what): Finding => ({ harm: "lost", what }));
      return [...found, ...stops, ...judge.changes()];
    } finally {
      agent.kill();
      await recorder.close();
      await server.close();
    }
  });
}

interface JudgeDeps {
  readonly host: AttackedHost;
  readonly server: StolenServer;
  readonly recorder: HelperRecorder;
}

/** More than any pause may be: an hour that a goodbye asks for, and the window. */
const mostPauseSeconds = 3_600 + 600;

const asksUnderWay = 3;
/** Identity, probe, ceiling, status, journal, the head of the log that it keeps, and one that the server asked for. */
const asksOfConnection = 7;

/** Compares the host with what it was when this was looked at last. */
class Judge {
  readonly ends = new Map<string, number>();
  readonly #deps: JudgeDeps;
  #before: HostState;
  /** Connections whose ends are judged. */
  #judged = 0;
  #asked = 0;

  constructor(deps: JudgeDeps) {
    this.#deps = deps;
    this.#before = readHostState(deps.host.directory);
  }

  async judge(agent: RunningAgent): Promise<Finding[]> {
    const { host, server } = this.#deps;
    const lost = agent.lost.then((what): Finding => ({ harm: "lost", what }));
    const back = server.calm().then(({ nodeId, ceilingDigest }): Finding[] => {
      const digest = Buffer.from(ceilingDigest).toString("hex");
      const isSame = nodeId === host.identity.nodeId && digest === host.ceilingDigest;
      return isSame ? [] : [{ harm: "changed", what: `the host signs that it is ${nodeId} under ${digest}` }];
    });
    const found = await stopped("the agent to come back to an honest server", Promise.race([back, lost]));
    if (!Array.isArray(found)) return [found, ...this.#outside(agent)];
    // The honest connection stands, all before it have ended.
    const ended = server.served.slice(this.#judged, -1);
    await until("the agent's log", () => endsIn(agent).length >= this.#judged + ended.length);
    const wrong = ended.flatMap((evil, at) => this.#judgeEnd(evil, endsIn(agent)[this.#judged + at] ?? ""));
    this.#judged += ended.length;
    return [
      ...found,
      ...wrong,
      ...this.#judgeAnswers(),
      ...this.#judgeAsking(ended.length + 1),
      ...this.#outside(agent),
    ];
  }

  changes(): Finding[] {
    const changes = findChanges(this.#before, this.#deps.host.directory);
    this.#before = readHostState(this.#deps.host.directory);
    return changes.map((what) => ({ harm: "changed", what }));
  }

  #outside(agent: RunningAgent): Finding[] {
    return [
      ...this.changes(),
      ...this.#deps.recorder.takeOdd().map((what): Finding => ({ harm: "asked", what })),
      ...agent.started().map((what): Finding => ({ harm: "started", what })),
      ...agent.lines.filter((line) => line.includes("defect")).map((what): Finding => ({ harm: "lost", what })),
    ];
  }

  /** What was asked of the host is refused by a name that was expected. */
  #judgeAnswers(): Finding[] {
    return this.#deps.server.answers.splice(0).flatMap(({ evil, said }): Finding[] => {
      const code = said !== undefined && "code" in said ? (said.code ?? "none") : (said?.t ?? "nothing");
      if (said?.t === evil.answer?.t && evil.answer?.codes.includes(code) === true) return [];
      return [{ harm: "answered", what: `${evil.name} was answered ${code}` }];
    });
  }

  /**
   * Who the host is and whether a change waits for a proof, for every connection; what the server is told of the host and of its changes
   * once that stands; and what it asked. A few may be under way.
   */
  #judgeAsking(connections: number): Finding[] {
    const { asked } = this.#deps.recorder;
    const more = asked - this.#asked;
    this.#asked = asked;
    const what = `the helper was asked ${more} times for ${connections} connections`;
    return more <= asksOfConnection * connections + asksUnderWay ? [] : [{ harm: "asked", what }];
  }

  /** Refused by a name of the table, by the one that is expected, and with a pause that ends. */
  #judgeEnd(evil: EvilCase | undefined, line: string): Finding[] {
    const [, code = "", seconds = ""] = /^not connected: ([^ :]+): .*in (\d+) seconds$/s.exec(line) ?? [];
    this.ends.set(code, (this.ends.get(code) ?? 0) + 1);
    const isNamed = Object.hasOwn(faults, code) || code === "bye" || code === "closed";
    const expected = evil?.expected ?? code;
    if (isNamed && expected === code && Number(seconds) <= mostPauseSeconds) return [];
    const what = `${evil?.stage}: ${evil?.name} ended with "${line}", expected ${expected}`;
    return [{ harm: "lost", what }];
  }
}

function endsIn({ lines }: RunningAgent): string[] {
  return lines.filter((line) => line.startsWith("not connected: "));
}

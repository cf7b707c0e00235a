import { type KeyObject, randomBytes } from "node:crypto";
import type { Clock } from "@gatehouse/base";
import { writeControlFrame } from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract/faults";
import { rootOwner } from "../host/need-root.ts";
import type { StopTimer, Timers } from "../host/timers.ts";
import type { AskHelper } from "../local/ask-helper.ts";
import { findBootId } from "../local/boot-id.ts";
import { getChannelKey } from "../local/channel-key.ts";
import { getPinnedServer, type PinnedServer } from "../local/server-file.ts";
import type { Measuring } from "../measure/measure-minutes.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { AgentDeps, RunAgent } from "../parts.ts";
import { answerWantState } from "./asked-answers.ts";
import { openTaskCarrier, type TaskCarrier } from "./carry-task.ts";
import { type ChannelKeys, openChannelKeys } from "./channel-keys.ts";
import type { Asked, ControlEvent, ControlState, Effect, Surroundings, TimerName } from "./control-state.ts";
import { controlStep, firstState } from "./control-step.ts";
import { connectionStatusOf } from "./control-status.ts";
import { authorityOf } from "../local/authority-of.ts";
import type { Dial, Dialled } from "./dial.ts";
import type { ReachFlaw } from "./find-reach-flaw.ts";
import { type JournalFollower, openJournalFollower } from "./follow-journal.ts";
import type { Credentials } from "./hello-steps.ts";
import { type LogFollower, openLogFollower } from "../logs/open-log-follower.ts";
import { openWitnessFollower, type WitnessFollower } from "./follow-witness.ts";
import { type HostEvents, openHostEvents } from "./host-events.ts";
import { openKeptOutcomes } from "./kept-outcomes.ts";
import { keepWindow, readKeptWindow } from "./kept-window.ts";
import { openPathProofs, type PathProofs } from "./path-proof.ts";
import { reasonOf } from "./reason-of.ts";
import { openToldFacts, type ToldFacts } from "./told-facts.ts";

export interface RunAgentDeps {
  /** Who this process is. */
  readonly user: number;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: () => number;
  readonly dial: Dial;
  readonly findReachFlaw: (server: PinnedServer) => Promise<ReachFlaw>;
  readonly openAsk: (socket: string) => AskHelper;
  readonly openOutbox: (directory: string) => Promise<Outbox>;
  readonly openMeasuring: (root: string) => Measuring;
  readonly log: (line: string) => void;
}

/** Keeps one connection to the server until it is told to stop. What happens next is decided by `controlStep`; here it is done. */
export function openRunAgent(deps: RunAgentDeps): RunAgent {
  return async (agent) => {
    // Both throw `host.not_enrolled`: trying again would not help, and systemd does not.
    getPinnedServer({ paths: agent.paths, owner: rootOwner(agent.paths.root) });
    getChannelKey({ paths: agent.paths, user: deps.user });
    const outbox = await deps.openOutbox(agent.paths.outbox);
    try {
      await new Connection(deps, agent, outbox).run();
    } finally {
      await outbox.close();
    }
  };
}

/** What a connection may have waiting before nothing of the outbox, of logs and no minute is added; beats are always. */
const mostWaitingBytes = 256 * 1024;

class Connection {
  readonly #deps: RunAgentDeps;
  readonly #agent: AgentDeps;
  readonly #around: Surroundings;
  readonly #ask: AskHelper;
  readonly #outbox: Outbox;
  readonly #measuring: Measuring;
  readonly #events: HostEvents;
  readonly #facts: ToldFacts;
  readonly #keys: ChannelKeys;
  readonly #carrier: TaskCarrier;
  readonly #journal: JournalFollower;
  readonly #proofs: PathProofs;
  readonly #logs: LogFollower;
  readonly #witness: WitnessFollower;
  readonly #timers = new Map<TimerName, StopTimer>();
  readonly #over = Promise.withResolvers<void>();
  #state: ControlState;
  #dialled: Dialled | undefined;
  /** What an earlier attempt still has to say is not this one's. */
  #attempt = 0;
  #noted: Promise<void> = Promise.resolve();
  /** One after the other: the key that was welcomed is taken before it is asked whether it is old. */
  #keyWork: Promise<void> = Promise.resolve();
  #notedOutbox = "";
  readonly #unwritten = new Set<string>();

  constructor(deps: RunAgentDeps, agent: AgentDeps, outbox: Outbox) {
    this.#deps = deps;
    this.#agent = agent;
    this.#outbox = outbox;
    const { log, timers, random } = deps;
    this.#measuring = deps.openMeasuring(agent.paths.root);
    const kept = () => this.#take({ t: "kept" });
    this.#events = openHostEvents({ outbox, now: () => deps.clock.now(), log, kept });
    this.#ask = deps.openAsk(agent.paths.helperSocket);
    this.#facts = openToldFacts({
      ask: this.#ask,
      files: [agent.paths.ceiling, agent.paths.trust],
      events: this.#events,
      tell: (about, text) => this.#take({ t: "facts", about, text }),
      listLogs: (logs) => this.#logs.listed(logs),
      log: deps.log,
    });
    const follow = () => this.#journal.follow();
    const outcomes = openKeptOutcomes({ outbox, log, kept });
    this.#journal = openJournalFollower({
      ask: this.#ask,
      timers,
      random,
      outbox,
      outcomes,
      tell: (step) => this.#take({ t: "step", text: writeControlFrame({ t: "~step", ...step }) }),
      log,
    });
    this.#proofs = openPathProofs({ ask: this.#ask, timers, random, log, brought: follow });
    this.#carrier = openTaskCarrier({
      ask: this.#ask,
      clock: deps.clock,
      timers,
      pull: (piece) => this.#take({ t: "pull", piece }),
      begun: follow,
      ended: (signed) => void outcomes.putAgain(signed),
    });
    this.#logs = openLogFollower({
      ask: this.#ask,
      clock: deps.clock,
      timers,
      random,
      isCrowded: () => this.#isCrowded(),
      send: (message) => this.#take({ t: "logs", ...message }),
      log,
    });
    this.#witness = openWitnessFollower({
      ask: this.#ask,
      clock: deps.clock,
      timers,
      events: this.#events,
      send: (text) => this.#take({ t: "witness", text }),
      log,
    });
    this.#keys = openChannelKeys({ paths: agent.paths, user: deps.user, clock: deps.clock, ask: this.#ask });
    this.#state = firstState(readKeptWindow({ paths: agent.paths, user: deps.user }));
    this.#around = {
      now: () => deps.clock.now(),
      monotonic: () => deps.clock.monotonic(),
      random: deps.random,
      nonce: () => randomBytes(32),
      agentVersion: agent.version,
      cursor: () => outbox.cursor(),
      minutes: (after) => (this.#isCrowded() ? [] : this.#measuring.after(after)),
    };
  }

  async run(): Promise<void> {
    const { stop, version, paths } = this.#agent;
    await this.#events.started(version, findBootId(paths.root));
    this.#measuring.begin();
    stop.addEventListener("abort", () => this.#take({ t: "stop" }), { once: true });
    this.#take(stop.aborted ? { t: "stop" } : { t: "start" });
    await this.#over.promise;
    this.#journal.end();
    this.#measuring.end();
    await this.#noted;
    await this.#keyWork;
  }

  #take(event: ControlEvent): void {
    const before = this.#state;
    const [next, effects] = controlStep(this.#around, before, event);
    this.#state = next;
    for (const each of effects) this.#do(each);
    if (next.at !== before.at || next.kept !== before.kept) this.#note();
    if (next.at === "stopped") this.#over.resolve();
  }

  #do(effect: Effect): void {
    switch (effect.t) {
      case "dial":
        return void this.#dial();
      case "send":
        return this.#dialled?.send(effect.data);
      case "close":
        this.#dialled?.close(effect.code, effect.reason);
        this.#dialled = undefined;
        this.#attempt += 1;
        this.#proofs.forget();
        this.#logs.end();
        this.#witness.end();
        return this.#carrier.forget();
      case "timer":
        this.#timers.get(effect.name)?.();
        this.#timers.set(
          effect.name,
          this.#deps.timers.after(effect.ms, () => this.#take({ t: "timer", name: effect.name })),
        );
        return undefined;
      case "no-timers":
        for (const stop of this.#timers.values()) stop();
        return this.#timers.clear();
      case "ask-facts":
        return void this.#facts.ask();
      case "look-at-ceiling":
        return this.#facts.lookAtFiles();
      case "look-at-key":
        return this.#workOnKey(() => this.#offerKey());
      case "take-key":
        return this.#workOnKey(() => this.#takeKey(effect.key));
      case "read-outbox":
        return void this.#readOutbox(effect.after, effect.limit);
      case "acknowledged":
        return void this.#later(this.#outbox.ack(effect.seq));
      case "rewound":
        return void this.#later(this.#outbox.rewind(effect.seq).then(() => this.#take({ t: "kept" })));
      case "minutes-taken":
        return this.#measuring.forget(effect.upTo);
      case "look-at-outbox":
        return this.#lookAtOutbox();
      case "read-state":
        return void this.#answer("state", answerWantState(this.#ask, effect.frame));
      case "submit-task":
        return void this.#answer("task", this.#carrier.carry(effect.frame));
      case "follow-logs":
        return effect.frame.t === "want-logs" ? this.#logs.want(effect.frame) : this.#logs.acknowledged(effect.frame);
      case "follow-witness":
        return effect.frame === undefined ? this.#witness.connected() : this.#witness.take(effect.frame);
      case "pulled":
        return this.#carrier.answered(effect.answer);
      case "follow-journal":
        return this.#journal.follow();
      case "prove":
        return this.#proofs.bring(effect.proof);
      case "log":
        return this.#deps.log(effect.line);
      case "keep-window":
        return void this.#later(keepWindow({ paths: this.#agent.paths, user: this.#deps.user }, effect.seconds));
    }
  }

  async #dial(): Promise<void> {
    this.#attempt += 1;
    const attempt = this.#attempt;
    const tell = (event: ControlEvent) => {
      if (attempt === this.#attempt) this.#take(event);
    };
    try {
      const server = getPinnedServer({ paths: this.#agent.paths, owner: rootOwner(this.#agent.paths.root) });
      const credentials = await this.#credentials(server);
      if (attempt !== this.#attempt) return;
      this.#dialled = this.#deps.dial(server, {
        opened: (protocol, extensions) => tell({ t: "opened", credentials, protocol, extensions }),
        message: (data) => tell({ t: "message", data }),
        closed: (code, reason, wasOpen) => {
          if (wasOpen) return tell({ t: "closed", code, reason });
          void this.#deps.findReachFlaw(server).then((flaw) => tell({ t: "failed", ...flaw }));
        },
      });
    } catch (error) {
      tell({ t: "failed", ...reasonOf(error) });
    }
  }

  async #credentials(server: PinnedServer): Promise<Credentials> {
    // What is being written now may be the key that is to be shown.
    await this.#keyWork;
    const key = this.#keys.forHello(this.#state.kept.helloKey);
    const { nodeId, bound } = await this.#ask("identity");
    if (typeof nodeId !== "string") throw fault("local.unavailable", "the helper did not say who this host is");
    if (bound !== true) throw fault("identity.cloned", `${nodeId} was made on a machine with another machine id`);
    const probe = await this.#proofs.probe();
    return { nodeId, ...key, server: server.key, authority: authorityOf(server.url), probe };
  }

  /** Whoever asked is gone when the connection is another one. */
  async #answer(what: Asked, answer: Promise<readonly string[]>): Promise<void> {
    const attempt = this.#attempt;
    const texts = await answer;
    if (attempt === this.#attempt) this.#take({ t: "answered", what, texts });
  }

  #workOnKey(work: () => Promise<void>): void {
    this.#keyWork = this.#keyWork.then(work).catch((error: unknown) => {
      const { code, detail } = reasonOf(error);
      this.#deps.log(`the channel key stays as it is: ${code}: ${detail}`);
    });
  }

  async #offerKey(): Promise<void> {
    const attempt = this.#attempt;
    const text = await this.#keys.offer();
    if (text !== undefined && attempt === this.#attempt) this.#take({ t: "offer", text });
  }

  async #takeKey(key: KeyObject): Promise<void> {
    await this.#keys.take(key);
    this.#deps.log("the server has welcomed the new channel key; the one before is gone");
  }

  async #readOutbox(after: number, limit: number): Promise<void> {
    const attempt = this.#attempt;
    // Told later, so that a step never begins inside of another.
    const records = await (this.#isCrowded() ? Promise.resolve(undefined) : this.#outbox.after(after, limit));
    if (attempt !== this.#attempt) return;
    this.#take(records === undefined ? { t: "crowded" } : { t: "held", records });
  }

  #isCrowded(): boolean {
    return (this.#dialled?.waiting() ?? 0) > mostWaitingBytes;
  }

  /** With every beat: a disk that takes something again is told about by nobody. */
  #lookAtOutbox(): void {
    void this.#outbox.tellGap().then((isTold) => isTold && this.#take({ t: "kept" }));
    if (JSON.stringify(this.#outbox.waiting()) !== this.#notedOutbox) this.#note();
  }

  /** One after the other, so that the last thing that happened is what stands there. */
  #note(): void {
    const server = findUrl(this.#agent);
    const outbox = this.#outbox.waiting();
    this.#notedOutbox = JSON.stringify(outbox);
    const status = connectionStatusOf(this.#state, { server, now: this.#deps.clock.now(), outbox });
    this.#noted = this.#noted.then(async () => {
      const isWritten = await this.#later(this.#agent.noteStatus(status));
      // Then with the next beat, whether anything has changed until then or not.
      if (!isWritten) this.#notedOutbox = "";
    });
  }

  /** Whether it went well. What fails again and again is said once, until something is written. */
  async #later(work: Promise<void>): Promise<boolean> {
    try {
      await work;
      this.#unwritten.clear();
      return true;
    } catch (error) {
      const { detail } = reasonOf(error);
      if (!this.#unwritten.has(detail)) this.#deps.log(`a file of the agent was not written: ${detail}`);
      this.#unwritten.add(detail);
      return false;
    }
  }
}

function findUrl({ paths }: AgentDeps): string {
  try {
    return getPinnedServer({ paths, owner: rootOwner(paths.root) }).url;
  } catch (error) {
    if (isFault(error)) return "";
    throw error;
  }
}

import { randomBytes } from "node:crypto";
import {
  challengeFrame,
  channelLimits,
  closeCodeOf,
  type ControlFrame,
  controlPath,
  type FrameOf,
  protocolVersions,
  readControlFrame,
  serverHelloFrame,
  writeControlFrame,
} from "@gatehouse/channel";
import { fault, isFault } from "@gatehouse/contract";
import { nodeKind, nodeOutboxKind } from "@gatehouse/contract/records";
import { joinSigned } from "@gatehouse/keys/frame";
import type { ServerIdentity } from "@gatehouse/store";
import type { RequestFacts, SocketConnection } from "../../platform/route/index.ts";
import type { FleetDeps } from "./fleet-deps.ts";
import { type Challenged, helloDigest, judgeHello, type PresentedHello, readHello } from "./judge-hello.ts";
import { allowances, FrameBudget } from "./frame-budget.ts";
import { LogsEnd } from "./logs-end.ts";
import type { LogsPace } from "./logs-pace.ts";
import { beginOutbox, openOutboxEnd, type OutboxEnd } from "./outbox-end.ts";
import type { OutboxPace } from "./outbox-pace.ts";
import { placeMinutes } from "./place-minutes.ts";
import type { Channel, Presence } from "./presence.ts";
import { dropFormerKey, takeChannelKey } from "./take-channel-key.ts";
import { takeEvent } from "./take-event.ts";
import { takeFacts } from "./take-facts.ts";
import { takeSignedOutcome } from "./take-signed-outcome.ts";
import { StateQuestion, type ToldStates } from "./state-question.ts";
import { TaskQuestion } from "./task-question.ts";
import { WitnessEnd } from "./witness-end.ts";

export interface ControlDeps
  extends Pick<
    FleetDeps,
    | "store"
    | "decide"
    | "clock"
    | "log"
    | "identity"
    | "later"
    | "after"
    | "beatSeconds"
    | "windowSeconds"
    | "takeOutcome"
    | "takeStep"
    | "takeMinutes"
    | "hostLogs"
    | "logBudget"
    | "witness"
  > {
  readonly presence: Presence;
  readonly pace: OutboxPace;
  readonly logsPace: LogsPace;
}

/** The server's end of an agent's control channel (contract 4): challenge, hello, welcome, then frames. */
export function openControl(deps: ControlDeps) {
  return (connection: SocketConnection): void => {
    const channel = new ControlChannel(deps, connection);
    connection.onMessage((data) => channel.take(data));
    connection.onClose(() => channel.closed());
    void channel.begin();
  };
}

type Stage = "opening" | "asked" | "judging" | "open" | "ended";

/** One connection. Ten thousand of them are open: it holds little, and its methods are shared. */
class ControlChannel implements Channel {
  readonly #deps: ControlDeps;
  readonly #connection: SocketConnection;
  #stage: Stage = "opening";
  #identity: ServerIdentity | undefined;
  #nonce: Uint8Array | undefined;
  #nodeId = "";
  readonly #messages = new FrameBudget(allowances.messages);
  readonly #signed = new FrameBudget(allowances.signed);
  readonly #measured = new FrameBudget(allowances.measured);
  #outbox: OutboxEnd | undefined;
  /** Only of hosts that say what they are like. */
  #states: StateQuestion | undefined;
  /** Only of hosts that take tasks. */
  #tasks: TaskQuestion | undefined;
  /** Only of hosts that send lines of logs. */
  #logs: LogsEnd | undefined;
  /** Only of hosts that keep heads of the log. */
  #witness: WitnessEnd | undefined;

  constructor(deps: ControlDeps, connection: SocketConnection) {
    this.#deps = deps;
    this.#connection = connection;
  }

  get address(): string {
    return this.#connection.facts.clientAddress;
  }

  async begin(): Promise<void> {
    try {
      this.#identity = await this.#deps.identity();
      this.#nonce = randomBytes(32);
      const { publicKey } = this.#identity;
      const at = this.#deps.clock.now();
      this.#connection.send(challengeFrame({ versions: protocolVersions, server: publicKey, nonce: this.#nonce, at }));
      if (this.#stage === "opening") this.#stage = "asked";
    } catch (error) {
      this.#refuse(error);
    }
  }

  take(data: string | Uint8Array): void {
    try {
      if (this.#stage === "open") this.#takeFrame(data);
      else if (this.#stage === "asked") this.#takeHello(data);
      else if (this.#stage !== "ended") throw fault("hello.order", "a message came before the challenge was answered");
    } catch (error) {
      this.#refuse(error);
    }
  }

  /** From here on nothing of this connection is taken, whatever is still on its way. */
  end(code: string): void {
    if (this.#stage === "ended") return;
    this.#leave();
    this.#connection.close(closeCodeOf(code), code);
  }

  closed(): void {
    this.#leave();
  }

  readStates(subjects: readonly string[]): Promise<ToldStates> {
    if (this.#states === undefined) {
      throw fault("plan.node_refused", "its agent is of a version that cannot say what the host is like");
    }
    return this.#states.ask(subjects);
  }

  get tasks(): TaskQuestion | undefined {
    return this.#tasks;
  }

  #leave(): void {
    const was = this.#stage;
    this.#stage = "ended";
    if (was !== "open") return;
    this.#deps.presence.leave(this.#nodeId, this);
    this.#states?.end();
    this.#tasks?.end();
    this.#witness?.end(this.#deps.presence.findChannel(this.#nodeId) === undefined);
  }

  #takeHello(data: string | Uint8Array): void {
    if (typeof data === "string") throw fault("frame.illegal_now", "a text before the hello was finished");
    if (data.byteLength > channelLimits.helloBytes) {
      throw fault("hello.malformed", `expected at most ${channelLimits.helloBytes} bytes, found ${data.byteLength}`);
    }
    const presented = readHello(data, this.#asked());
    this.#stage = "judging";
    this.#welcome(presented).catch((error: unknown) => this.#refuse(error));
  }

  #asked(): Challenged {
    const { publicKey } = this.#known();
    return { versions: protocolVersions, server: publicKey, nonce: this.#nonce ?? new Uint8Array(), path: controlPath };
  }

  /**
   * Between reading the record and taking the place of the node there is no waiting: a revocation that is kept after the read
   * finds the connection here and ends it.
   */
  async #welcome(presented: PresentedHello): Promise<void> {
    const { presence, store, beatSeconds, windowSeconds, clock } = this.#deps;
    const { hello, framed } = presented;
    const kept = await store.get(nodeOutboxKind.key(hello.nodeId), { newest: true });
    const node = await store.get(nodeKind.key(hello.nodeId), { newest: true });
    if (this.#stage !== "judging") return;
    const used = judgeHello(presented, node?.value);
    const acked = beginOutbox(hello.body.cursor, kept?.value.acked ?? 0);
    const body = { acked, beatSeconds, windowSeconds, head: null, serverTime: clock.now() };
    const welcome = serverHelloFrame(helloDigest(framed), body);
    this.#nodeId = hello.nodeId;
    this.#stage = "open";
    this.#nonce = undefined;
    this.#connection.admitted();
    this.#connection.send(joinSigned(welcome, this.#known().sign(welcome)));
    if (hello.body.features.includes("state")) {
      this.#states = new StateQuestion({
        nodeId: hello.nodeId,
        hostKey: node?.value.hostKey ?? "",
        send: (frame) => this.#connection.send(writeControlFrame(frame)),
        after: (ms, act) => this.#deps.after(ms, act),
      });
    }
    if (hello.body.features.includes("task")) {
      this.#tasks = new TaskQuestion({
        send: (data) => this.#connection.send(data instanceof Uint8Array ? data : writeControlFrame(data)),
        queued: () => this.#connection.queued(),
        after: (ms, act) => this.#deps.after(ms, act),
        onUnread: (error) => this.#deps.log.error("a part of a task could not be read", { node: this.#nodeId }, error),
      });
    }
    if (hello.body.features.includes("logs")) {
      this.#logs = new LogsEnd({
        nodeId: hello.nodeId,
        kept: this.#deps.hostLogs,
        budget: this.#deps.logBudget,
        pace: this.#deps.logsPace,
        now: () => this.#deps.clock.now(),
        send: (frame) => this.#connection.send(writeControlFrame(frame)),
        later: (ms) => this.#deps.later(ms),
        isOpen: () => this.#stage === "open",
      });
      this.#later(this.#logs.begin());
    }
    if (hello.body.features.includes("witness")) {
      this.#witness = new WitnessEnd({
        nodeId: hello.nodeId,
        desk: this.#deps.witness,
        monotonic: () => this.#deps.clock.monotonic(),
        now: () => this.#now(),
        send: (frame) => this.#connection.send(writeControlFrame(frame)),
        isOpen: () => this.#stage === "open",
      });
    }
    presence.arrive(hello.nodeId, this);
    this.#outbox = openOutboxEnd({
      acked,
      take: (sent) => this.#keep(sent),
      acknowledge: (seq) => this.#connection.send(writeControlFrame({ t: "out-ack", seq })),
      pause: () => this.#deps.pace.pauseOf(hello.nodeId),
      later: (ms) => this.#deps.later(ms),
      isOpen: () => this.#stage === "open",
    });
    if (used === "new" && node?.value.formerChannelKey !== undefined) {
      await dropFormerKey(this.#deps, hello.nodeId, this.#now());
    }
  }

  #takeFrame(data: string | Uint8Array): void {
    this.#messages.use(this.#deps.clock.monotonic());
    if (typeof data !== "string") throw fault("frame.malformed", "expected a text, found bytes that nobody asked for");
    const sent = readControlFrame(data, "agent");
    if (sent === undefined) return;
    this.#serve(sent);
  }

  #serve(sent: ControlFrame): void {
    switch (sent.t) {
      case "beat":
        this.#deps.presence.heard(this.#nodeId, this, sent.at);
        return this.#connection.send(writeControlFrame({ t: "beat-ack", seq: sent.seq }));
      case "facts":
        this.#signed.use(this.#deps.clock.monotonic());
        return this.#later(takeFacts(this.#deps, this.#nodeId, sent, this.#now()));
      case "channel-key":
        this.#signed.use(this.#deps.clock.monotonic());
        return this.#later(takeChannelKey(this.#deps, this.#nodeId, sent.signed, this.#now()));
      case "bye":
        return this.end("bye");
      case "out":
        return this.#later(this.#outbox?.take(sent) ?? Promise.resolve());
      case "state":
        return this.#states?.take(sent);
      case "state-refused":
        return this.#states?.takeRefusal(sent);
      case "task-refused":
      case "task-taken":
        return this.#taking().takeWord(sent);
      case "~step":
        return this.#deps.takeStep(this.#nodeId, sent);
      case "~minutes":
        this.#measured.use(this.#deps.clock.monotonic(), sent.minutes.length);
        return this.#deps.takeMinutes(this.#nodeId, placeMinutes(sent, this.#deps.clock.now()));
      case "logs":
        if (this.#logs === undefined) throw fault("frame.unknown", "its hello did not say that it sends logs");
        return this.#later(this.#logs.take(sent));
      case "pull":
        return this.#taking().takePull(sent);
      case "~witness":
      case "want-heads":
        if (this.#witness === undefined) throw fault("frame.unknown", "its hello did not say that it keeps heads");
        return this.#later(this.#witness.take(sent));
      // Only the server sends these; the reader has refused them already.
      case "beat-ack":
      case "out-ack":
      case "want-state":
      case "want-logs":
      case "logs-ack":
      case "head":
      case "heads":
      case "task":
      case "pull-end":
      case "wake":
        throw fault("frame.unknown", `an agent sends no ${sent.t}`);
    }
  }

  #keep(sent: FrameOf<"out">): Promise<void> {
    const take = sent.kind === "outcome" ? takeSignedOutcome : takeEvent;
    return take(this.#deps, this.#nodeId, sent, this.#now());
  }

  #later(work: Promise<void>): void {
    work.catch((error: unknown) => this.#refuse(error));
  }

  #refuse(error: unknown): void {
    if (this.#stage === "ended") return;
    const code = isFault(error) ? error.code : "server.internal";
    const { log } = this.#deps;
    const where = { address: this.address, ...(this.#nodeId !== "" && { node: this.#nodeId }) };
    if (isFault(error)) log.warn("an agent's connection was refused", { code, detail: error.detail, ...where });
    else log.error("an agent's connection failed", where, error);
    this.end(code);
  }

  #taking(): TaskQuestion {
    if (this.#tasks === undefined) throw fault("frame.unknown", "its hello did not say that it takes tasks");
    return this.#tasks;
  }

  #known(): ServerIdentity {
    if (this.#identity === undefined) throw fault("hello.order", "the server has not asked yet");
    return this.#identity;
  }

  #now(): RequestFacts {
    return { ...this.#connection.facts, now: this.#deps.clock.now() };
  }
}

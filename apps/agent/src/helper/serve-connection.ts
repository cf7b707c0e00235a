import type { Socket } from "node:net";
import type { Clock, JsonObject } from "@gatehouse/base";
import { fault, isFault } from "@gatehouse/contract/faults";
import type { StopTimer, Timers } from "../host/timers.ts";
import { localLimits } from "../local/local-limits.ts";
import { openLocalMessages, packLocalMessage } from "../local/local-messages.ts";
import { type LocalAnswer, parseLocalRequest } from "../local/local-request.ts";

export interface ConnectionDeps {
  readonly answer: (verb: string, fields: JsonObject) => Promise<JsonObject>;
  readonly clock: Clock;
  readonly timers: Timers;
  /** One line for the host's own log. */
  readonly log: (line: string) => void;
}

/** Serves whoever has connected, among the others: places and memory are shared. */
export function serveConnection(deps: ConnectionDeps, others: Set<LocalConnection>, socket: Socket): void {
  const connection = new LocalConnection(deps, others, socket);
  others.add(connection);
  socket.on("close", () => {
    connection.cut();
    others.delete(connection);
  });
  // A peer that goes in the middle of an answer is no news.
  socket.on("error", () => socket.destroy());
  socket.on("data", (chunk: Buffer) => connection.take(chunk));
  if (others.size > localLimits.connections) connection.refuse(0, fault("local.limit", "more than 8 connections"));
}

export class LocalConnection {
  readonly #deps: ConnectionDeps;
  readonly #others: ReadonlySet<LocalConnection>;
  readonly #socket: Socket;
  readonly #reader = openLocalMessages();
  readonly #queue: Uint8Array[] = [];
  #isAnswering = false;
  #isRefused = false;
  #lastId = 0;
  #second: { readonly from: number; messages: number };
  #stopTimer: StopTimer = () => undefined;

  constructor(deps: ConnectionDeps, others: ReadonlySet<LocalConnection>, socket: Socket) {
    this.#deps = deps;
    this.#others = others;
    this.#socket = socket;
    this.#second = { from: deps.clock.monotonic(), messages: 0 };
    this.#waitForNext();
  }

  /** Bytes that are kept for this one. */
  held(): number {
    if (this.#isRefused) return this.#socket.writableLength;
    const queued = this.#queue.reduce((sum, each) => sum + each.byteLength, 0);
    return this.#reader.held() + queued + this.#socket.writableLength;
  }

  take(chunk: Uint8Array): void {
    if (this.#isRefused) return;
    try {
      const isBegun = this.#reader.held() > 0;
      const whole = this.#reader.push(chunk);
      this.#queue.push(...whole);
      this.#count(whole.length);
      const held = [...this.#others].reduce((sum, each) => sum + each.held(), 0);
      if (held > localLimits.bufferedBytes) throw fault("local.limit", `${held} bytes wait to be taken`);
      if (whole.length > 0 || !isBegun) this.#waitForNext();
    } catch (error) {
      this.refuse(0, error);
      return;
    }
    void this.#answerAll();
  }

  /** Says why and ends: what comes behind a broken message has no beginning that could be trusted. */
  refuse(id: number, error: unknown): void {
    if (this.#isRefused) return;
    this.#isRefused = true;
    const answer = refusalOf(id, error);
    this.#deps.log(`a connection was cut: ${answer.code}: ${answer.detail}`);
    this.#socket.end(packLocalMessage(answer, localLimits.answerBytes));
    // Whoever does not read its refusal is not waited for.
    this.#wait(1_000, () => this.#socket.destroy());
  }

  cut(): void {
    this.#stopTimer();
    this.#socket.destroy();
  }

  /** One at a time, and meanwhile what is asked waits at the asker's end. */
  async #answerAll(): Promise<void> {
    if (this.#isAnswering) return;
    this.#isAnswering = true;
    this.#socket.pause();
    for (let next = this.#queue.shift(); next !== undefined && !this.#isRefused; next = this.#queue.shift()) {
      await this.#answer(next);
    }
    this.#isAnswering = false;
    this.#socket.resume();
  }

  async #answer(message: Uint8Array): Promise<void> {
    let id = 0;
    try {
      const request = parseLocalRequest(message, this.#lastId);
      id = request.id;
      this.#lastId = id;
      this.#send({ ...(await this.#deps.answer(request.verb, request.fields)), v: 1, id, ok: true });
    } catch (error) {
      if (!isFault(error)) this.#deps.log(`defect: ${error instanceof Error ? error.message : "unknown"}`);
      if (isFault(error, "local.frame")) this.refuse(id, error);
      else this.#send(refusalOf(id, error));
    }
  }

  #send(answer: LocalAnswer): void {
    if (!this.#isRefused && this.#socket.writable)
      this.#socket.write(packLocalMessage(answer, localLimits.answerBytes));
  }

  #count(messages: number): void {
    const now = this.#deps.clock.monotonic();
    if (now - this.#second.from >= 1_000) this.#second = { from: now, messages: 0 };
    this.#second.messages += messages;
    if (this.#second.messages > localLimits.messagesPerSecond) {
      throw fault("local.limit", `expected at most ${localLimits.messagesPerSecond} messages a second`);
    }
  }

  #waitForNext(): void {
    const [ms, why] =
      this.#reader.held() > 0
        ? [localLimits.messageMs, "a message was not whole after 10 seconds"]
        : [localLimits.silentMs, "nothing was asked for half a minute"];
    this.#wait(ms, () => this.refuse(0, fault("local.limit", why)));
  }

  #wait(ms: number, act: () => void): void {
    this.#stopTimer();
    this.#stopTimer = this.#deps.timers.after(ms, act);
  }
}

function refusalOf(id: number, error: unknown): Extract<LocalAnswer, { ok: false }> {
  const known = isFault(error) ? error : fault("local.unavailable", "the helper failed; its log says more");
  return { v: 1, id, ok: false, code: known.code, detail: known.detail };
}

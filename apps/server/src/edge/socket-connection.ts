import type { Socket } from "node:net";
import { WebSocket } from "ws";
import type { RequestFacts, SocketConnection, SocketRoute } from "../platform/route/index.ts";
import { edgeLimits } from "./limits.ts";

/** Whoever owns all sockets. */
export interface SocketOwner {
  proved(connection: OpenSocket): void;
  ended(connection: OpenSocket): void;
  /** A feature threw something. */
  failed(connection: OpenSocket, error: unknown): void;
}

/** The library's socket, which knows the connection that it is one half of: then one listener serves all of them. */
export class EdgeWebSocket extends WebSocket {
  connection: OpenSocket | undefined = undefined;
}

/** The other half. Ten thousand are open at once: it has no closure and no timer of its own. */
export class OpenSocket implements SocketConnection {
  readonly facts: RequestFacts;
  readonly row: SocketRoute;
  readonly socket: Socket;
  /** On the clock that never goes back. */
  readonly startedAt: number;
  /** What to do at its end beside what the feature wants: somebody who is signed in is watched no more. */
  unwatch: (() => void) | undefined = undefined;
  isClosing = false;
  readonly #ws: EdgeWebSocket;
  readonly #owner: SocketOwner;
  #hear: ((data: string | Uint8Array) => void) | undefined = undefined;
  #hearEnd: ((code: number) => void) | undefined = undefined;
  #taken = 0;
  #looks = 0;

  constructor(
    ws: EdgeWebSocket,
    of: Pick<OpenSocket, "facts" | "row" | "socket" | "startedAt"> & { readonly owner: SocketOwner },
  ) {
    this.facts = of.facts;
    this.row = of.row;
    this.socket = of.socket;
    this.startedAt = of.startedAt;
    this.#ws = ws;
    this.#owner = of.owner;
    ws.connection = this;
    ws.on("message", onMessage);
    ws.on("ping", onPing);
    ws.on("error", onError);
    ws.on("close", onClose);
  }

  send(data: string | Uint8Array): void {
    if (this.#ws.readyState !== WebSocket.OPEN) return;
    this.#ws.send(data);
    this.#boundQueue();
  }

  queued(): number {
    return this.#ws.bufferedAmount;
  }

  onMessage(hear: (data: string | Uint8Array) => void): void {
    this.#hear = hear;
  }

  onClose(hear: (code: number) => void): void {
    this.#hearEnd = hear;
  }

  close(code: number, reason: string): void {
    this.isClosing = true;
    this.#ws.close(code, reason);
  }

  cut(): void {
    this.isClosing = true;
    this.#ws.terminate();
  }

  admitted(): void {
    if (!this.isClosing) this.#owner.proved(this);
  }

  late(): void {
    this.close(1008, "no hello in time");
  }

  heard(data: string | Uint8Array): void {
    if (this.isClosing) return;
    this.run(() => this.#hear?.(data));
  }

  pinged(data: Uint8Array): void {
    this.#ws.pong(data);
    // Whoever asks and never reads would have the answers gather here.
    this.#boundQueue();
  }

  over(code: number): void {
    this.isClosing = true;
    this.#owner.ended(this);
    this.run(() => this.#hearEnd?.(code));
    this.#hear = undefined;
    this.#hearEnd = undefined;
  }

  /** A defect of a feature ends the one socket that met it. */
  run(act: () => void): void {
    try {
      act();
    } catch (error) {
      this.#owner.failed(this, error);
      this.close(1011, "the server failed");
    }
  }

  /** Whether the reader took nothing of what waits for it for a whole minute. Asked from time to time. */
  isStalled(): boolean {
    const { writableLength, bytesWritten } = this.socket;
    const taken = bytesWritten - writableLength;
    this.#looks = writableLength > 0 && taken === this.#taken ? this.#looks + 1 : 0;
    this.#taken = taken;
    return this.#looks * edgeLimits.readerCheckMs >= edgeLimits.idleTimeoutMs;
  }

  #boundQueue(): void {
    if (this.#ws.bufferedAmount > edgeLimits.socketQueueBytes) this.cut();
  }
}

function onMessage(this: WebSocket, data: unknown, isBinary: boolean): void {
  const bytes = data as Buffer;
  (this as EdgeWebSocket).connection?.heard(isBinary ? bytes : bytes.toString("utf8"));
}

function onPing(this: WebSocket, data: Buffer): void {
  (this as EdgeWebSocket).connection?.pinged(data);
}

/** The library closes the socket by itself; the close that follows says why. */
function onError(): void {
  return undefined;
}

function onClose(this: WebSocket, code: number): void {
  (this as EdgeWebSocket).connection?.over(code);
}

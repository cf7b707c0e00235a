import { LeanSocket, type SocketEnd, type SocketUser } from "./lean-socket.ts";

/** What comes over a connection: messages, then its end. */
export type Heard = { readonly data: string | Buffer } | { readonly end: SocketEnd };

/** A connection for whoever asks what comes next. */
export class HeardSocket implements SocketUser {
  readonly #socket: LeanSocket;
  readonly #came: Heard[] = [];
  #waiting: ((heard: Heard) => void) | undefined;

  constructor(port: number, from: string) {
    this.#socket = new LeanSocket(port, this, from);
  }

  next(): Promise<Heard> {
    const here = this.#came.shift();
    if (here !== undefined) return Promise.resolve(here);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  send(data: string | Uint8Array): void {
    this.#socket.send(data);
  }

  sendRaw(bytes: Uint8Array): void {
    this.#socket.sendRaw(bytes);
  }

  cut(): void {
    this.#socket.cut();
  }

  heard(data: string | Buffer): void {
    this.#take({ data });
  }

  ended(end: SocketEnd): void {
    this.#take({ end });
  }

  #take(heard: Heard): void {
    const waits = this.#waiting;
    this.#waiting = undefined;
    if (waits === undefined) this.#came.push(heard);
    else waits(heard);
  }
}

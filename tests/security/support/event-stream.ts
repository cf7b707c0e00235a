import { connect } from "node:net";
import { stopMs } from "../../support/stopped.ts";
import type { Headers } from "./people.ts";
import { requestBytes } from "./raw-http.ts";

export interface Heard {
  readonly position: number;
  readonly at: string;
  readonly action: string;
  readonly subject: string;
}

/** A reader of /api/events on a connection of its own. Leaves with its scope. */
export interface EventStream extends Disposable {
  /** Everything that came, head and all. */
  text(): string;
  heard(): Heard[];
  isOpen(): boolean;
  /** Waits until something is true of the stream. */
  until(isTrue: () => boolean): Promise<void>;
}

export function openEventStream(port: number, as: Headers, path = "/api/events?after=0"): EventStream {
  let text = "";
  let isOpen = true;
  const waiting = new Set<() => void>();
  const look = () => {
    for (const check of waiting) check();
  };
  const socket = connect({ port, host: "127.0.0.1" });
  socket.setEncoding("utf8").on("data", (piece) => {
    text += String(piece);
    // The last chunk of an answer: the stream is over, whether or not the connection stays.
    if (text.endsWith("\r\n0\r\n\r\n")) isOpen = false;
    look();
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    isOpen = false;
    look();
  });
  socket.write(requestBytes(port, { path, headers: as }));
  return {
    text: () => text,
    heard: () => [...text.matchAll(/^event: change\nid: \d+\ndata: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data)),
    isOpen: () => isOpen,
    until: (isTrue) =>
      new Promise((done, failed) => {
        const check = () => {
          if (!isTrue()) return;
          clearTimeout(timer);
          waiting.delete(check);
          done();
        };
        const timer = setTimeout(() => {
          waiting.delete(check);
          failed(new Error(`stopped after ${stopMs / 1_000} s; the stream holds ${text.slice(-300)}`));
        }, stopMs);
        waiting.add(check);
        check();
      }),
    [Symbol.dispose]: () => void socket.destroy(),
  };
}

import { connect } from "node:net";
import { stopMs } from "../support/stopped.ts";
import { readAnswer } from "./answer.ts";
import type { ServerUnderTest } from "./server.ts";

export interface SlowOutcome {
  readonly clients: number;
  /** Told off with 408, or cut, by the server. */
  readonly dismissed: number;
  /** Requests that others made while slow clients were there, answered as they should be and not. */
  readonly served: number;
  readonly refused: number;
  /** A figure; it decides nothing. */
  readonly goodP99: number;
}

const heads = [
  "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: ",
  "POST /api/csp-reports HTTP/1.1\r\nHost: localhost\r\n",
  "G",
  "",
];

/** Many clients that never finish their request, a byte at a time, while a good one goes about its work. */
export async function slowClients(server: ServerUnderTest, clients: number): Promise<SlowOutcome> {
  const all = Array.from({ length: clients }, (_, i) => dawdle(server.port, heads[i % heads.length] ?? ""));
  await Promise.all(all.map(({ connected }) => connected));
  const over = new AbortController();
  const dawdling = Promise.all(all.map(({ dismissed }) => dismissed)).finally(() => over.abort());
  const times: number[] = [];
  let refused = 0;
  while (!over.signal.aborted) {
    const started = performance.now();
    if (await server.isHealthy().catch(() => false)) times.push(performance.now() - started);
    else refused += 1;
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  const dismissed = (await dawdling).filter(Boolean).length;
  times.sort((a, b) => a - b);
  return { clients, dismissed, served: times.length, refused, goodP99: times[Math.floor(times.length * 0.99)] ?? NaN };
}

/** `dismissed` says whether it was the server that ended it, and how one may. */
function dawdle(port: number, head: string): { connected: Promise<void>; dismissed: Promise<boolean> } {
  const { promise: connected, resolve: arrive } = Promise.withResolvers<void>();
  const { promise: dismissed, resolve } = Promise.withResolvers<boolean>();
  let bytes = "";
  const socket = connect({ port, host: "127.0.0.1" }, () => {
    socket.write(head);
    arrive();
  });
  const drip = setInterval(() => socket.writable && socket.write("a"), 500);
  const finish = (isGood: boolean) => {
    clearInterval(drip);
    clearTimeout(stop);
    socket.destroy();
    arrive();
    resolve(isGood);
  };
  const stop = setTimeout(() => finish(false), stopMs);
  socket.setEncoding("latin1");
  socket.on("data", (text: string) => {
    bytes += text;
  });
  socket.on("error", () => undefined);
  socket.on("close", () => {
    const reading = readAnswer(bytes, false);
    finish(bytes === "" || (reading.kind === "whole" && reading.answer.status < 500));
  });
  return { connected, dismissed };
}

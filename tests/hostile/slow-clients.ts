import { connect } from "node:net";
import { readAnswer } from "./answer.ts";
import type { ServerUnderTest } from "./server.ts";

export interface SlowOutcome {
  readonly clients: number;
  /** Told off with 408, or cut, within the time limit. */
  readonly dismissed: number;
  /** Of requests that others made meanwhile. */
  readonly goodP99: number;
}

/** Many clients that never finish their request, a byte at a time, while a good one goes about its work. */
export async function slowClients(server: ServerUnderTest, clients: number, limitMs: number): Promise<SlowOutcome> {
  const over = new AbortController();
  const heads = [
    "GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: ",
    "POST /api/csp-reports HTTP/1.1\r\nHost: localhost\r\n",
    "G",
    "",
  ];
  const all = Array.from({ length: clients }, (_, i) => dawdle(server.port, heads[i % heads.length] ?? "", limitMs));
  const dawdling = Promise.all(all).finally(() => over.abort());
  const times: number[] = [];
  while (!over.signal.aborted) {
    const started = performance.now();
    await server.isHealthy();
    times.push(performance.now() - started);
    await new Promise((resolve) => {
      setTimeout(resolve, 20);
    });
  }
  const dismissed = (await dawdling).filter(Boolean).length;
  times.sort((a, b) => a - b);
  return { clients, dismissed, goodP99: times[Math.floor(times.length * 0.99)] ?? Number.POSITIVE_INFINITY };
}

function dawdle(port: number, head: string, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    let bytes = "";
    const socket = connect({ port, host: "127.0.0.1" }, () => socket.write(head));
    const drip = setInterval(() => socket.writable && socket.write("a"), 500);
    const finish = (isGood: boolean) => {
      clearInterval(drip);
      clearTimeout(limit);
      socket.destroy();
      resolve(isGood);
    };
    const limit = setTimeout(() => finish(false), limitMs);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      bytes += text;
    });
    socket.on("error", () => undefined);
    socket.on("close", () => {
      const reading = readAnswer(bytes, false);
      finish(bytes === "" || (reading.kind === "whole" && reading.answer.status < 500));
    });
  });
}

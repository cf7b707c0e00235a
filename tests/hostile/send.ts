import { connect } from "node:net";
import { stopMs } from "../support/stopped.ts";
import type { HostileRequest } from "./grammar.ts";

export interface Reply {
  /** Every byte that came back, one character each. */
  readonly bytes: string;
  readonly ms: number;
  /** Neither answered nor closed by the time at which the wait is stopped. */
  readonly isHung: boolean;
  readonly error: string | undefined;
}

/** How long a client that sent half a request waits before it says that there is no more. Decides nothing. */
const patienceMs = 1_000;

/** Puts the bytes on a fresh connection and reads until `isWhole` is satisfied, or the server closes it. */
export function send(
  port: number,
  request: Pick<HostileRequest, "parts" | "endsEarly">,
  isWhole: (bytes: string) => boolean,
): Promise<Reply> {
  return new Promise((resolve) => {
    const started = performance.now();
    let bytes = "";
    let error: string | undefined;
    let farewell: NodeJS.Timeout | undefined;
    const socket = connect({ port, host: "127.0.0.1", noDelay: true }, () => void write());
    const finish = (isHung: boolean) => {
      clearTimeout(limit);
      clearTimeout(farewell);
      socket.destroy();
      resolve({ bytes, ms: performance.now() - started, isHung, error });
    };
    const limit = setTimeout(() => finish(true), stopMs);
    socket.setEncoding("latin1");
    socket.on("data", (text: string) => {
      bytes += text;
      if (isWhole(bytes)) finish(false);
    });
    socket.on("error", (failure: NodeJS.ErrnoException) => {
      error = failure.code;
    });
    socket.on("close", () => finish(false));
    const write = async () => {
      for (const part of request.parts) {
        socket.write(part, "latin1");
        await new Promise((next) => {
          setImmediate(next);
        });
      }
      // Later: to a server, a client that has closed its half while its request is worked on is a client that left.
      if (request.endsEarly) farewell = setTimeout(() => socket.end(), patienceMs);
    };
  });
}

import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { childEnvironment } from "../../support/child-environment.ts";
import { stopped } from "../../support/stopped.ts";

/** For the server as well: each connection needs a descriptor at both ends. */
export const raiseLimit = 'ulimit -n "$(ulimit -Hn)"';

/** As many as wanted, or as many as this machine allows: the server keeps some descriptors for itself. */
export function affordable(clients: number): number {
  const limit = Number(execFileSync("sh", ["-c", `${raiseLimit}; ulimit -n`], { encoding: "utf8" })) || 1_000_000;
  return Math.min(clients, limit - 1_000);
}

export interface SlowAttack extends AsyncDisposable {
  /** Every slow client is there; every broken handshake is over; everybody who does not finish was thrown out. */
  until(word: "held" | "sent" | "dismissed"): Promise<void>;
  /** Ends it and gives what it did. */
  end(): Promise<Readonly<Record<"mostHeld" | "closedByServer" | "badHandshakes", number>>>;
}

export function startSlowAttack(port: number, clients: number, handshakes: number): SlowAttack {
  const program = [process.execPath, join(import.meta.dirname, "slow-clients.ts")];
  const child = spawn(
    "sh",
    ["-c", `${raiseLimit}; exec "$0" "$@"`, ...program, String(port), String(clients), String(handshakes)],
    { env: childEnvironment(), stdio: ["pipe", "pipe", "inherit"] },
  );
  const heard = new Map<string, PromiseWithResolvers<void>>();
  const about = (word: string) => {
    const known = heard.get(word) ?? Promise.withResolvers<void>();
    heard.set(word, known);
    return known;
  };
  let last = "";
  createInterface({ input: child.stdout }).on("line", (line) => {
    last = line;
    about(line).resolve();
  });
  const ended = once(child, "close");
  return {
    until: (word) => stopped(`waiting for the slow clients: ${word}`, about(word).promise),
    end: async () => {
      child.stdin.end();
      await stopped("ending the slow clients", ended);
      return JSON.parse(last) as Awaited<ReturnType<SlowAttack["end"]>>;
    },
    [Symbol.asyncDispose]: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}

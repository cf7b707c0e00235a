import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { dirname, join } from "node:path";
import type { AgentPaths } from "../../apps/agent/src/config.ts";
import { openLocalMessages } from "../../apps/agent/src/local/local-messages.ts";

/** Where the helper itself listens; at its usual door stands the recorder. */
export function innerDoor({ helperSocket }: Pick<AgentPaths, "helperSocket">): string {
  return join(dirname(helperSocket), "helper-itself.sock");
}

/**
 * What a network part asks its helper, with the fields that it gives: who the host is, what the server is told of it, and what the server
 * may ask for, which the helper judges; and how far the changes are that it has taken.
 */
const usual: ReadonlySet<string> = new Set([
  "identity ",
  "ceiling ",
  "status ",
  "state.read request,subjects",
  "log.read lines,skip,sources",
  "task.submit index,parts,planDigest,task",
  "journal.read after",
  "probe.get ",
  "head.get ",
  "head.put signed",
  "head.put from,rows,signed",
]);

/** Stands before the helper's door: passes everything on, and knows what was asked. */
export class HelperRecorder {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #odd: string[] = [];
  #asked = 0;

  constructor(inner: string) {
    this.#server = createServer((outer) => {
      const helper = connect({ path: inner });
      const reader = openLocalMessages();
      for (const each of [outer, helper]) {
        this.#sockets.add(each);
        each.on("error", () => each.destroy());
        each.on("close", () => this.#sockets.delete(each));
      }
      outer.on("data", (chunk: Buffer) => {
        for (const message of reader.push(chunk)) this.#note(Buffer.from(message).toString("utf8"));
      });
      outer.pipe(helper).pipe(outer);
    });
  }

  async listen(path: string): Promise<void> {
    this.#server.listen(path);
    await once(this.#server, "listening");
  }

  /** How often anything was asked, ever. */
  get asked(): number {
    return this.#asked;
  }

  /** What was asked beyond the usual since this was looked at last. */
  takeOdd(): string[] {
    return this.#odd.splice(0);
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #note(text: string): void {
    this.#asked += 1;
    const { v: _, id: __, verb, ...fields } = JSON.parse(text) as Record<string, unknown>;
    const isUsual = usual.has(`${String(verb)} ${Object.keys(fields).toSorted().join()}`);
    if (!isUsual) this.#odd.push(`the helper was asked for ${String(verb)} with ${Object.keys(fields).join(", ")}`);
  }
}

import type { ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { agentUnit, helperUnit } from "../../lab/agent-on-host.ts";
import type { ManagedHost } from "../../lab/managed-host.ts";
import { until } from "../../support/until.ts";

const ofParts = [`_SYSTEMD_UNIT=${agentUnit}`, `_SYSTEMD_UNIT=${helperUnit}`]
  .concat(`UNIT=${agentUnit}`, `UNIT=${helperUnit}`)
  .flatMap((match, at) => (at === 0 ? [match] : ["+", match]));
const asJson = ["journalctl", "--output=json", "--output-fields=MESSAGE"];

interface Entry {
  readonly __CURSOR: string;
  readonly MESSAGE?: unknown;
}

/** What both parts of a host have written to their log, and the manager about them, as it comes. */
export class FollowedLog {
  readonly lines: string[] = [];
  readonly #host: ManagedHost;
  readonly #seen = new Set<string>();
  readonly #follower: ChildProcess;

  constructor(host: ManagedHost) {
    this.#host = host;
    this.#follower = host.start([...asJson, "--follow", "--no-tail", ...ofParts]);
    const { stdout } = this.#follower;
    if (stdout === null) throw new Error("journalctl has no output");
    createInterface({ input: stdout }).on("line", (line) => {
      const { __CURSOR: cursor, MESSAGE: said } = JSON.parse(line) as Entry;
      this.#seen.add(cursor);
      if (typeof said === "string") this.lines.push(said);
    });
  }

  /** All that was logged until now is among the lines then. What comes later is of those who run then. */
  async catchUp(): Promise<void> {
    const newest = `journalctl --sync && ${[...asJson, "--lines=1", "--quiet", ...ofParts].join(" ")}`;
    const line = await this.#host.shell(newest);
    if (line === "") return;
    const { __CURSOR: cursor } = JSON.parse(line) as Entry;
    await until(`the log of ${this.#host.name} is read to its end`, () => this.#seen.has(cursor));
  }

  close(): void {
    this.#follower.kill("SIGKILL");
  }
}

import { join } from "node:path";
import { readFileSync, writeFileSync } from "node:fs";
import { isShown, walkOf } from "../support/walk/walk-of.ts";
import type { Walker } from "../support/walk/walker.ts";
import type { ManagedHost } from "./managed-host.ts";

export interface PageWalkOptions {
  readonly reader: Walker;
  readonly hosts: readonly ManagedHost[];
  /** Where the reader saves the page's files. */
  readonly directory: string;
  /** What the lab has in place of what the page assumes, by the page's own words. */
  readonly filled: Readonly<Record<string, string>>;
  /** The lab's server is no container: what the page does with compose is done here. */
  readonly restartServer: () => Promise<void>;
}

export interface TypedStep {
  readonly command: string;
  readonly code: number | null;
  readonly shown: string;
}

/** What the page lets a reader put in: the plan that was made last, and the fingerprint that was printed last. */
const learnt: readonly (readonly [name: string, pattern: RegExp])[] = [
  ["5d7skrbj", /\bplan_[0-9a-z]{26}\b/],
  ["SHA256:…", /\bSHA256:\S+/],
];

/** Somebody who follows a page about hosts: lines that begin with sudo are typed on every host, the others on a machine of their own. */
export class PageWalk {
  readonly #options: PageWalkOptions;
  readonly #filled: Map<string, string>;
  readonly #figures: { readonly seconds: number; readonly command: string }[] = [];

  constructor(options: PageWalkOptions) {
    this.#options = options;
    this.#filled = new Map(Object.entries(options.filled));
  }

  /** Types a part of the page. Every line ends well and shows what the page says, but for those that the page says are refused. */
  async take(part: string, refused = /(?!)/): Promise<readonly TypedStep[]> {
    const { files, steps } = walkOf(part);
    for (const [name, text] of files) writeFileSync(join(this.#options.directory, name), this.fill(text));
    const typed: TypedStep[] = [];
    for (const { command, shows } of steps) {
      const step = await this.#timed(command);
      typed.push(step);
      const hint = `${step.command}\nended with ${step.code}:\n${step.shown}`;
      if (step.code !== (refused.test(command) ? 1 : 0)) throw new Error(hint);
      const missing = shows.find((line) => !isShown(this.fill(line), step.shown));
      if (missing !== undefined) throw new Error(`${hint}\nThe page says: ${missing}`);
    }
    return typed;
  }

  /** What stands on the page, as this reader types it. */
  fill(text: string): string {
    return [...this.#filled].reduce((sum, [from, to]) => sum.replaceAll(from, to), text);
  }

  /** How long each line took, and all of them: figures, which decide nothing. */
  figures(what: string): string {
    const lines = this.#figures.map(({ seconds, command }) => `${seconds.toFixed(1).padStart(6)} s  ${command}`);
    const sum = this.#figures.reduce((all, { seconds }) => all + seconds, 0);
    this.#figures.length = 0;
    return [...lines, `walk: ${what} in ${(sum / 60).toFixed(1)} minutes of commands`].join("\n");
  }

  async #timed(command: string): Promise<TypedStep> {
    const began = performance.now();
    const step = await this.#type(this.fill(command));
    this.#figures.push({ seconds: (performance.now() - began) / 1_000, command });
    for (const [name, pattern] of learnt) {
      const [found] = pattern.exec(step.shown) ?? [];
      if (found !== undefined) this.#filled.set(name, found);
    }
    return { ...step, command };
  }

  async #type(line: string): Promise<TypedStep> {
    const { reader, hosts, restartServer } = this.#options;
    if (line.startsWith("docker compose ")) {
      await restartServer();
      return { command: line, code: 0, shown: "" };
    }
    if (line.startsWith("scp ")) return this.#bring(line);
    if (!line.startsWith("sudo ")) return { command: line, ...(await reader.type(line)) };
    const ran = await Promise.all(hosts.map((host) => host.run("sh", "-euc", `cd && ${line}`)));
    const shown = ran.map(({ stdout, stderr }) => `${stdout}${stderr}`).join("\n");
    return { command: line, code: Math.max(...ran.map(({ code }) => code ?? 255)), shown };
  }

  /** The wire of the lab carries no SSH to the hosts: their files are written from outside. */
  async #bring(line: string): Promise<TypedStep> {
    const [, from, name, to] = /^scp ~\/(\S+) root@([\w-]+):(\S+)$/.exec(line) ?? [];
    const host = this.#options.hosts.find((one) => one.name === name);
    if (from === undefined || to === undefined || host === undefined) throw new Error(`nobody brings this: ${line}`);
    await host.write(`/root/${to}`, readFileSync(join(this.#options.reader.home, from)));
    return { command: line, code: 0, shown: "" };
  }
}

import { childEnvironment } from "../support/child-environment.ts";
import { stopMs } from "../support/stopped.ts";
import { type Answered, runOnTerminal } from "../support/walk/on-terminal.ts";
import { dockerEnvironment, type Ran, sh } from "./lab.ts";

/** `docker compose` in one directory, as a person would call it there. The lab has the older program of the same name. */
export class Compose {
  readonly #directory: string;
  readonly #env: Record<string, string>;

  constructor(directory: string) {
    this.#directory = directory;
    this.#env = childEnvironment(dockerEnvironment);
  }

  run(...words: readonly string[]): Promise<Ran> {
    return sh("/usr/bin/docker-compose", words, { cwd: this.#directory, env: this.#env });
  }

  /** Lines of a document, in a shell that stops at the first failure. */
  shell(script: string): Promise<Ran> {
    // Without a terminal, the older program wants to be told so.
    const lines = script
      .replaceAll("docker compose exec", "docker-compose exec -T")
      .replaceAll("docker compose", "docker-compose");
    return sh("sh", ["-euc", lines], { cwd: this.#directory, env: this.#env });
  }

  /** One line of a document, on a terminal on which somebody answers. */
  type(line: string, answers: readonly Answered[] = []) {
    const typed = line.replaceAll("docker compose", "docker-compose");
    return runOnTerminal(typed, { cwd: this.#directory, env: this.#env, answers });
  }

  async container(): Promise<string> {
    return (await this.run("ps", "-q")).stdout.trim();
  }

  async inside(...words: readonly string[]): Promise<string> {
    const name = await this.container();
    return (await sh("/usr/bin/docker", ["exec", name, ...words], { env: this.#env })).stdout;
  }

  /** The engine chooses the port, anew at each start. */
  async #base(): Promise<string> {
    return `http://${(await this.run("port", "gatehouse", "8088")).stdout.trim()}`;
  }

  /** Waits until the server answers that it is ready, and says where. */
  async ready(): Promise<string> {
    const base = await this.#base();
    await this.#until(
      () =>
        fetch(`${base}/api/ready`).then(
          ({ ok }) => ok,
          () => false,
        ),
      "the container is ready",
    );
    return base;
  }

  /** Waits until the container has said this. */
  async said(pattern: RegExp): Promise<void> {
    await this.#until(async () => {
      const { stdout, stderr } = await this.run("logs", "--no-color");
      return pattern.test(stdout) || pattern.test(stderr);
    }, `the container says ${pattern}`);
  }

  /** Waits until a command in the container prints this. */
  async prints(text: string, ...words: readonly string[]): Promise<void> {
    await this.#until(async () => (await this.inside(...words)) === text, `${words.join(" ")} prints ${text}`);
  }

  async #until(isSo: () => Promise<boolean>, what: string): Promise<void> {
    for (const end = Date.now() + stopMs; !(await isSo()); ) {
      if (Date.now() > end)
        throw new Error(`stopped before ${what}; the container says:\n${(await this.run("logs")).stdout}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

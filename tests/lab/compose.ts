import { dockerEnvironment, type Ran, sh } from "./lab.ts";

/** `docker compose` in one directory, as a person would call it there. The lab has the older program of the same name. */
export class Compose {
  readonly #directory: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(directory: string) {
    this.#directory = directory;
    this.#env = { PATH: process.env["PATH"], HOME: process.env["HOME"], ...dockerEnvironment };
  }

  run(...words: readonly string[]): Promise<Ran> {
    return sh("/usr/bin/docker-compose", words, { cwd: this.#directory, env: this.#env });
  }

  /** Lines of a document, in a shell that stops at the first failure. */
  shell(script: string): Promise<Ran> {
    const lines = script.replaceAll("docker compose", "docker-compose");
    return sh("sh", ["-euc", lines], { cwd: this.#directory, env: this.#env });
  }

  async container(): Promise<string> {
    return (await this.run("ps", "-q")).stdout.trim();
  }

  async inside(...words: readonly string[]): Promise<string> {
    const name = await this.container();
    return (await sh("/usr/bin/docker", ["exec", name, ...words], { env: this.#env })).stdout;
  }

  /** Waits until the server answers that it is ready. */
  async ready(base: string, limitMs = 60_000): Promise<void> {
    const end = Date.now() + limitMs;
    for (;;) {
      const isReady = await fetch(`${base}/api/ready`).then(
        (answer) => answer.ok,
        () => false,
      );
      if (isReady) return;
      if (Date.now() > end) throw new Error(`the container is not ready:\n${(await this.run("logs")).stdout}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Whether the container has said this, or says it within the limit. */
  async said(pattern: RegExp, limitMs = 30_000): Promise<boolean> {
    const end = Date.now() + limitMs;
    for (;;) {
      const { stdout, stderr } = await this.run("logs", "--no-color");
      if (pattern.test(stdout) || pattern.test(stderr)) return true;
      if (Date.now() > end) return false;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  }
}

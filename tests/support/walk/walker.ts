import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment } from "../child-environment.ts";
import { stopMs } from "../stopped.ts";
import { type Answered, runOnTerminal, type TerminalOptions } from "./on-terminal.ts";

export interface WalkerOptions {
  /** Where the page begins: the reader's home is made beside it. */
  readonly place: string;
  /** The directory the reader's first command is typed in. */
  readonly cwd: string;
  /** What the reader knows by heart. Passwords that a command shows are learnt from it. */
  readonly answers?: readonly Answered[];
  /** Nothing that changes what a command does: where to find packages, for example. */
  readonly env?: Readonly<Record<string, string>>;
  readonly through?: TerminalOptions["through"];
}

const documented = "http://127.0.0.1:8088";

/**
 * Somebody who follows a page: types one line after the other into one shell, in a terminal, with nothing set that the page
 * does not set. Only the port is not the documented one, which may be taken on this machine.
 */
export class Walker {
  readonly home: string;
  readonly #env: Record<string, string>;
  readonly #state: string;
  readonly #answers: Answered[];
  readonly #through: readonly string[];
  #server: { readonly child: ChildProcess; readonly closed: Promise<void> } | undefined;
  #base: string | undefined;
  /** Where the next line is typed. */
  cwd: string;

  constructor({ place, cwd, answers = [], env = {}, through = [] }: WalkerOptions) {
    this.home = join(place, "home");
    mkdirSync(this.home, { mode: 0o700 });
    this.#state = join(place, "shell-state");
    this.cwd = cwd;
    this.#answers = [...answers];
    this.#through = through;
    this.#env = childEnvironment({ PATH: personalPath(), HOME: this.home, ...env });
  }

  /** Types a line and waits for its end. */
  async type(line: string): Promise<{ readonly code: number | null; readonly shown: string }> {
    const typed = this.#base === undefined ? line : line.replaceAll(documented, this.#base);
    const words = `${this.#before()}${typed}\n${this.#after()}`;
    const ran = await runOnTerminal(words, {
      cwd: this.cwd,
      env: this.#env,
      answers: this.#answers,
      through: this.#through,
    });
    this.#learn(ran.shown);
    return ran;
  }

  /** Types the line that starts the server, and gives the address at which it answers. */
  async serve(line: string): Promise<string> {
    const child = spawn("/bin/sh", ["-c", `${this.#before()}${line}`], {
      cwd: this.cwd,
      env: { ...this.#env, SERVICE_LISTEN: "127.0.0.1:0" },
      stdio: ["ignore", "pipe", "pipe"],
      // A group of its own, as a line in a terminal is: what npm starts ends with it.
      detached: true,
    });
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    const { promise: base, resolve, reject } = Promise.withResolvers<string>();
    let said = "";
    const take = (part: string): void => {
      said += part;
      const [, host, port] = /\blistening\b.*host=(\S+) port=(\d+)/.exec(said) ?? [];
      if (host !== undefined && port !== undefined) resolve(`http://${host}:${port}`);
    };
    child.stdout?.setEncoding("utf8").on("data", take);
    child.stderr?.setEncoding("utf8").on("data", take);
    child.once("error", reject);
    child.once("close", () => {
      close();
      reject(new Error(`${line} ended before it listened; it said:\n${said}`));
    });
    this.#server = { child, closed };
    const timer = setTimeout(() => reject(new Error(`${line} does not listen; it said:\n${said}`)), stopMs);
    this.#base = await base.finally(() => clearTimeout(timer));
    this.#env["GATEHOUSE_SERVER"] = this.#base;
    return this.#base;
  }

  /** Ctrl-C in the server's terminal. */
  async interrupt(): Promise<void> {
    await this.#signal("SIGINT");
  }

  /** Leaves nothing running. */
  async leave(): Promise<void> {
    await this.#signal("SIGKILL");
  }

  async #signal(name: NodeJS.Signals): Promise<void> {
    const { child, closed } = this.#server ?? {};
    if (child?.pid === undefined) return;
    try {
      process.kill(-child.pid, name);
    } catch {
      // It has ended already.
    }
    await closed;
    this.#server = undefined;
  }

  /** `password=$(…); echo "admin $password"`: whoever reads the screen knows it from then on. */
  #learn(shown: string): void {
    const [, username, password] = /^(admin) ([0-9a-f]{16,})$/m.exec(shown) ?? [];
    if (password !== undefined) this.#answers.push({ question: `Password of ${username} at `, answer: password });
  }

  /** What the lines before this one left in the shell: its variables and its directory. */
  #before(): string {
    return `if [ -f '${this.#state}' ]; then . '${this.#state}'; fi; set -a\n`;
  }

  #after(): string {
    return `code=$?; { export -p; printf "cd '%s'\\n" "$PWD"; } > '${this.#state}'; exit $code\n`;
  }
}

/** The path of whoever started the tests, before npm put the pinned Node and our programs in front. */
function personalPath(): string {
  const parts = (process.env["PATH"] ?? "").split(":");
  return parts.filter((part) => !part.includes("/node_modules/")).join(":");
}

import { spawn } from "node:child_process";
import { stopMs } from "../stopped.ts";

export interface Answered {
  /** A part of the question, as it is shown. */
  readonly question: string;
  /** What is typed; or what is read off the screen to be typed. */
  readonly answer: string | ((shown: string) => string);
}

export interface TerminalOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly answers: readonly Answered[];
  /** Words in front of the terminal's program, for a reader whose machine is not quite this one. */
  readonly through?: readonly string[];
}

/** Runs a line of shell on a terminal of its own, made by script(1), and answers its questions as a person would. */
export async function runOnTerminal(line: string, { cwd, env, answers, through = [] }: TerminalOptions) {
  const [program, ...words] = [...through, "script", "--quiet", "--return", "--command", line, "/dev/null"];
  const child = spawn(program, words, { cwd, env: { ...env, SHELL: "/bin/sh", TERM: "xterm" }, stdio: "pipe" });
  const { promise, resolve, reject } = Promise.withResolvers<{ code: number | null; shown: string }>();
  let shown = "";
  let seen = 0;
  const take = (part: string): void => {
    shown += part;
    const asked = answers
      .map((known) => ({ ...known, at: shown.indexOf(known.question, seen) }))
      .filter(({ at }) => at !== -1)
      .toSorted((a, b) => a.at - b.at)[0];
    if (asked === undefined) return;
    seen = asked.at + asked.question.length;
    const { answer } = asked;
    child.stdin.write(`${typeof answer === "string" ? answer : answer(shown)}\r`);
  };
  child.stdout.setEncoding("utf8").on("data", take);
  child.stderr.setEncoding("utf8").on("data", take);
  // It may end before it has read everything.
  child.stdin.on("error", () => undefined);
  child.once("error", reject);
  child.once("close", (code) => resolve({ code, shown: shown.replaceAll("\r\n", "\n") }));
  const timer = setTimeout(() => {
    child.kill("SIGKILL");
    reject(new Error(`stopped after ${stopMs / 1_000} s: ${line} did not end; it showed:\n${shown}`));
  }, stopMs);
  return promise.finally(() => clearTimeout(timer));
}

import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { repository } from "./image.ts";

export interface Counted {
  readonly passed: number;
  readonly failed: number;
}

/** Runs a script of the checkout that ends with the plain line, shows what it prints, and gives what it counted. */
export function runSuite(
  node: string,
  script: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Counted> {
  return runCounting(node, [join(repository, script), ...words], env);
}

/** The same of any program. */
export async function runCounting(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Counted> {
  const child = spawn(program, words, {
    cwd: repository,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.on("data", (part: Buffer) => {
    process.stdout.write(part);
    text += part.toString();
  });
  const [code] = (await once(child, "close")) as [number | null];
  const [, passed, failed] = [...text.matchAll(/^(\d+) passed, (\d+) failed/gm)].at(-1) ?? [];
  // Silence is a failure, and so is an end that does not fit to what was counted.
  const isOdd = passed === undefined || (code !== 0 && failed === "0");
  return { passed: Number(passed ?? 0), failed: Number(failed ?? 0) + (isOdd ? 1 : 0) };
}

import { execFile } from "node:child_process";
import { join } from "node:path";
import { childEnvironment } from "../../support/child-environment.ts";
import { stopMs } from "../../support/stopped.ts";
import { attacked, repository } from "./server.ts";

export interface CliRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `gatehouse …` as a process of its own, with nothing of our environment. */
export function runCli(
  words: readonly string[],
  { env = {}, cwd = repository }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<CliRun> {
  const file = join(attacked, "apps/cli/src/main.ts");
  const options = {
    env: childEnvironment(env),
    cwd,
    timeout: stopMs,
    maxBuffer: 64 * 1024 * 1024,
  };
  return new Promise((done) => {
    execFile(process.execPath, [file, ...words], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout, stderr });
    });
  });
}

import { type ChildProcess, spawn } from "node:child_process";
import { renameSync } from "node:fs";
import { createServer } from "node:net";
import { onTestFinished } from "vitest";
import { childEnvironment } from "../../../tests/support/child-environment.ts";
import { giveInput } from "../../../tests/support/give-input.ts";
import type { HostDirectory } from "./host-directory.ts";

export interface Part {
  /** What it has printed, on either stream. */
  readonly said: () => string;
  readonly process: ChildProcess;
  readonly ended: Promise<number | null>;
}

/** Starts a verb of the compiled agent in this directory. `door` becomes the third descriptor, as systemd hands it over. */
export function startPart(
  program: string,
  host: HostDirectory,
  verb: string,
  more: { door?: number; input?: string; args?: readonly string[] } = {},
): Part {
  // What our own tests set for Node is exactly what the agent refuses.
  const { NODE_OPTIONS: _, ...environment } = childEnvironment();
  const env = more.door === undefined ? environment : { ...environment, LISTEN_FDS: "1" };
  const doors = more.door === undefined ? [] : [more.door];
  const json = verb === "enrol-exchange" ? ["--json"] : [];
  const child = spawn(program, [verb, "--root", host.root, ...json, ...(more.args ?? [])], {
    env,
    stdio: ["pipe", "pipe", "pipe", ...doors],
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes: Buffer) => {
      said += bytes.toString("utf8");
    });
  }
  giveInput(child.stdin, more.input);
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await ended;
  });
  return { said: () => said, process: child, ended };
}

/** The helper behind a socket that somebody else has opened. */
export async function startCompiledHelper(program: string, host: HostDirectory): Promise<Part> {
  const opener = createServer();
  const first = `${host.paths.helperSocket}.first`;
  await new Promise<void>((resolve) => opener.listen(first, resolve));
  const { fd: door } = (opener as unknown as { readonly _handle: { readonly fd: number } })._handle;
  const part = startPart(program, host, "helper", { door });
  // Whoever closes a socket that it has opened removes its name, and nobody but the helper may answer here.
  renameSync(first, host.paths.helperSocket);
  await new Promise<void>((resolve) => opener.close(() => resolve()));
  return part;
}

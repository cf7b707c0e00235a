#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { Fault } from "@gatehouse/base";
import { compose, type Running } from "./compose.ts";
import { loadConfig, settingsHelp, warningsOf } from "./config.ts";
import { readBuildInfo } from "./platform/build-info/index.ts";
import { type Log, oneLine, openLog } from "./platform/log/index.ts";

/** Requests under way get this long to finish after a signal. */
const stopDeadlineMs = 10_000;
/** Files the store, plugins and the log need beside the connections. */
const reservedFiles = 256;

await main(process.argv.slice(2));

async function main(words: readonly string[]): Promise<void> {
  const [word, ...rest] = words;
  if (word === undefined) return run();
  if (word === "--help" && rest.length === 0) return print(settingsHelp());
  if (word === "--version" && rest.length === 0) return print(`${readBuildInfo().version}\n`);
  refuse(`gatehouse-server takes --help, --version or nothing; found ${oneLine(words.join(" "))}`);
}

async function run(): Promise<void> {
  let log: Log | undefined;
  try {
    const config = loadConfig(process.env);
    const opened = openLog({ format: config.logFormat });
    log = opened;
    for (const { message, todo } of warningsOf(config)) opened.warn(message, { todo });
    const running = await compose({
      config,
      log: opened,
      onFatal: (error) => {
        opened.error("the store failed; the process ends", {}, error);
        process.exit(1);
      },
      maxConnections: openFileLimit() - reservedFiles,
    });
    stopOnSignal(running, opened);
    opened.info("listening", { host: running.host, port: running.port, publicUrl: config.publicUrl?.origin });
  } catch (error) {
    if (error instanceof Fault) refuse(`${error.detail}. ${error.todo ?? ""}`);
    log?.error("the server could not start", {}, error);
    refuse("the server could not start; this is a defect, please report it with the log");
  }
}

function stopOnSignal(running: Running, log: Log): void {
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info("stopping", { signal });
    void stop(running, log);
  };
  process.on("SIGTERM", onSignal);
  process.on("SIGINT", onSignal);
}

async function stop(running: Running, log: Log): Promise<never> {
  try {
    await running.stop(stopDeadlineMs);
    log.info("stopped");
    process.exit(0);
  } catch (error) {
    log.error("the stop failed", {}, error);
    process.exit(1);
  }
}

/** Soft limit of open files, or a careful guess where the system does not tell. */
function openFileLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Math.max(Number(limit ?? 1_024), 2 * reservedFiles);
  } catch {
    return 1_024;
  }
}

function print(text: string): void {
  process.stdout.write(text);
}

/** One line that says what is wrong and what to write instead. A stack would bury it. */
function refuse(reason: string): never {
  process.stderr.write(`gatehouse-server: ${oneLine(reason)}\n`);
  process.exit(1);
}

import { join, resolve } from "node:path";
import { childEnvironment } from "../../support/child-environment.ts";
import { stopMs } from "../../support/stopped.ts";
import { freshDirectory } from "./directories.ts";
import { endOf, type Program, startProgram } from "./program.ts";
import {
  firstAdministrator,
  type Run,
  type RunningServer,
  type ServerDriver,
  type StartOptions,
} from "./server-driver.ts";

export const root = resolve(import.meta.dirname, "../../..");
const serverFile = join(root, "apps/server/src/main.ts");
const cliFile = join(root, "apps/cli/src/main.ts");

/**
 * The product as processes of this machine, started as README says: `node apps/server/src/main.ts`. `SERVICE_*` variables of
 * the caller never reach the server under test.
 */
export const processDriver: ServerDriver = {
  start: async (options = {}) => {
    const place = placeOf(options);
    const program = startProgram(process.execPath, [serverFile], place);
    try {
      const line = await program.out.waitFor(/\blistening\b/);
      return running(program, place.dataDir, baseUrlOf(line));
    } catch (cause) {
      program.signal("SIGKILL");
      await program.ended;
      throw new Error(`the server did not start:\n${program.out.text}\n${program.err.text}`, { cause });
    }
  },
  run: async (words, options = {}) => {
    const program = startProgram(process.execPath, [serverFile, ...words], placeOf(options));
    // A start that is not refused does not end by itself: it is no use to wait for that.
    const isUp = words.length === 0 && (await program.out.waitFor(/\blistening\b/).then(Boolean, () => false));
    if (!isUp) return report(program, "the server");
    program.signal("SIGKILL");
    await program.ended;
    throw new Error(`the server started:\n${program.out.text}`);
  },
  gatehouse: async (words, settings = {}) => {
    const program = startProgram(process.execPath, [cliFile, ...words], { env: childEnvironment(settings) });
    return report(program, `gatehouse ${words.join(" ")}`);
  },
};

function placeOf({ settings = {}, dataDir, bare }: StartOptions) {
  if (bare !== undefined) {
    return { dataDir: join(bare.cwd, "data"), cwd: bare.cwd, env: childEnvironment(settings) };
  }
  const directory = dataDir ?? join(freshDirectory(), "data");
  const own = {
    SERVICE_LISTEN: "127.0.0.1:0",
    SERVICE_DATA_DIR: directory,
    // The default is relative, and would be the sources of the official plugins.
    SERVICE_PLUGIN_DIR: join(directory, "../no-plugins"),
    ...firstAdministrator,
  };
  return { dataDir: directory, env: childEnvironment({ ...own, ...settings }) };
}

function running(program: Program, dataDir: string, baseUrl: string): RunningServer {
  return {
    baseUrl,
    dataDir,
    log: program.out,
    isRunning: program.isRunning,
    signal: program.signal,
    ended: program.ended,
    stop: async (signal = "SIGTERM") => {
      if (program.isRunning()) program.signal(signal);
      return signal === "SIGKILL" ? program.ended : endOf(program, stopMs, "the server");
    },
  };
}

/** Where a server answers, from its line about listening: both forms of the log say `host` and `port`. */
export function baseUrlOf(line: string): string {
  const [, host, port] = /"host":"([^"]+)","port":(\d+)/.exec(line) ?? /host=(\S+) port=(\d+)/.exec(line) ?? [];
  if (host === undefined || port === undefined) throw new Error(`the line does not say where it listens: ${line}`);
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

async function report(program: Program, what: string): Promise<Run> {
  const { code } = await endOf(program, stopMs, what);
  return { code, out: program.out.text, err: program.err.text };
}

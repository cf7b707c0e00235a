import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { dockerEnvironment } from "../../lab/lab.ts";
import { childEnvironment } from "../../support/child-environment.ts";
import { stopMs } from "../../support/stopped.ts";
import { freshDirectory } from "./directories.ts";
import { type Ended, endOf, type Program, startProgram } from "./program.ts";
import { scratchVariable } from "./scratch.ts";
import { baseUrlOf } from "./process-driver.ts";
import {
  firstAdministrator,
  type Run,
  type RunningServer,
  type ServerDriver,
  type Settings,
  type StartOptions,
} from "./server-driver.ts";

/** The image under test; `tests/lab/container.ts` builds it and names it here. */
export const imageVariable = "ACCEPTANCE_IMAGE";

let serial = 0;

/**
 * The product as its image, with compose's restrictions: read-only root, no capability but the entrypoint's, no new
 * privileges. Files are mounted where they lie and the network is the host's, so that the tests are the same for both.
 */
export const containerDriver: ServerDriver = {
  start: async (options = {}) => {
    const place = placeOf(options);
    const { program, name } = runImage(["gatehouse-server"], place);
    try {
      const line = await program.out.waitFor(/\blistening\b/, stopMs);
      return running(program, name, place.dataDir, baseUrlOf(line).replace("0.0.0.0", "127.0.0.1"));
    } catch (cause) {
      if (program.isRunning()) docker("kill", name);
      await program.ended;
      throw new Error(`the container did not start:\n${program.out.text}\n${program.err.text}`, { cause });
    }
  },
  run: (words, options = {}) =>
    // Nothing is mounted that is not there: the engine would make the directory, and the test would take it for the server's.
    report(runImage(["gatehouse-server", ...words], { ...placeOf(options), mounts: [] }).program, "the server"),
  gatehouse: (words, settings = {}) => {
    // The entrypoint gives the server's user the directory it is told of, as it would with a mounted one.
    const data = words[words.indexOf("--data-dir") + 1];
    const place =
      words.includes("--data-dir") && data !== undefined ? { SERVICE_DATA_DIR: data, ...settings } : settings;
    return report(
      runImage(["gatehouse", ...words], { settings: place, mounts: [] }).program,
      `gatehouse ${words.join(" ")}`,
    );
  },
};

interface Place {
  readonly settings: Settings;
  readonly mounts: readonly string[];
}

function placeOf({ settings = {}, dataDir, bare }: StartOptions): Place & { dataDir: string } {
  if (bare !== undefined) {
    const directory = join(bare.cwd, "data");
    return { dataDir: directory, settings, mounts: [`${directory}:/data`] };
  }
  const directory = dataDir ?? join(freshDirectory(), "data");
  const own = { SERVICE_LISTEN: "127.0.0.1:0", SERVICE_DATA_DIR: directory, ...firstAdministrator };
  return { dataDir: directory, settings: { ...own, ...settings }, mounts: [] };
}

function runImage(words: readonly string[], place: Place): { program: Program; name: string } {
  const image = process.env[imageVariable];
  const scratch = process.env[scratchVariable];
  if (image === undefined || scratch === undefined) throw new Error(`${imageVariable} names no image`);
  serial += 1;
  const name = `gatehouse-acceptance-${process.pid}-${serial}`;
  const { SERVICE_DATA_DIR: data, SERVICE_MASTER_KEY_FILE: key, SERVICE_PLUGIN_DIR: plugins } = place.settings;
  const { SERVICE_PLUGIN_TRUST: trust } = place.settings;
  for (const path of [data, key, plugins, trust, ...words])
    if (path?.startsWith(scratch)) letThrough(scratch, dirname(path));
  readable(key);
  const args = [
    "run",
    "--rm",
    `--name=${name}`,
    "--network=host",
    "--read-only",
    "--tmpfs=/tmp",
    "--tmpfs=/run/gatehouse:exec,size=256m,mode=0700,uid=10001,gid=10001",
    "--cap-drop=ALL",
    ...["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETUID", "SETGID", "SETPCAP"].map(
      (capability) => `--cap-add=${capability}`,
    ),
    "--security-opt=no-new-privileges",
    `--volume=${scratch}:${scratch}`,
    `--env=NODE_COMPILE_CACHE=${sharedCache(scratch)}`,
    ...place.mounts.map((mount) => `--volume=${mount}`),
    ...Object.entries(place.settings).map(([key, value]) => `--env=${key}=${value}`),
    image,
    ...words,
  ];
  return { program: startProgram("/usr/bin/docker", args, { env: childEnvironment(dockerEnvironment) }), name };
}

/** The file system of a container is fresh each time; compiled sources are kept between them, as they are between processes. */
function sharedCache(scratch: string): string {
  const directory = join(scratch, "compiled");
  chmodSync(scratch, 0o711);
  mkdirSync(directory, { recursive: true });
  chmodSync(directory, 0o777);
  return directory;
}

/** An operator who mounts a key gives it to the server's user; so does this. */
function readable(path: string | undefined): void {
  if (path === undefined || !existsSync(path) || !lstatSync(path).isFile()) return;
  execFileSync("chown", ["10001:10001", path]);
}

/** The directories of a test are its own; the server's user may pass through them. */
function letThrough(scratch: string, directory: string): void {
  for (let at = directory; at.startsWith(scratch); at = dirname(at)) if (existsSync(at)) chmodSync(at, 0o711);
}

function running(program: Program, name: string, dataDir: string, baseUrl: string): RunningServer {
  const signal = (which: NodeJS.Signals): void => docker("kill", `--signal=${which}`, name);
  // The engine's client tells of a kill by a number, as a shell does.
  const ended = program.ended.then((end): Ended => (end.code === 137 ? { code: null, signal: "SIGKILL" } : end));
  ended.catch(() => undefined);
  return {
    baseUrl,
    dataDir,
    log: program.out,
    isRunning: program.isRunning,
    signal,
    ended,
    stop: async (which = "SIGTERM") => {
      if (program.isRunning()) signal(which);
      return which === "SIGKILL" ? ended : endOf(program, stopMs, "the container");
    },
  };
}

function docker(...words: readonly string[]): void {
  execFileSync("/usr/bin/docker", words, { env: { ...process.env, ...dockerEnvironment }, stdio: "ignore" });
}

async function report(program: Program, what: string): Promise<Run> {
  const { code } = await endOf(program, stopMs, what);
  return { code, out: program.out.text, err: program.err.text };
}

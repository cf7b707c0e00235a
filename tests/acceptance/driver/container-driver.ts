import { execFileSync } from "node:child_process";
import { existsSync, lstatSync } from "node:fs";
import { dirname, join } from "node:path";
import { dockerEnvironment } from "../../lab/lab.ts";
import { freshDirectory } from "./directories.ts";
import { endOf, type Program, startProgram } from "./program.ts";
import { scratchVariable } from "./scratch.ts";
import { baseUrlOf } from "./process-driver.ts";
import type { Run, RunningServer, ServerDriver, Settings, StartOptions } from "./server-driver.ts";

/** The image under test; `tests/lab/container.ts` builds it and names it here. */
export const imageVariable = "ACCEPTANCE_IMAGE";

const startLimitMs = 60_000;
const endLimitMs = 60_000;
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
      const line = await program.out.waitFor(/\blistening\b/, startLimitMs);
      return running(program, name, place.dataDir, baseUrlOf(line).replace("0.0.0.0", "127.0.0.1"));
    } catch (cause) {
      docker("kill", name);
      await program.ended;
      throw new Error(`the container did not start:\n${program.out.text}\n${program.err.text}`, { cause });
    }
  },
  run: (words, options = {}) =>
    report(runImage(["gatehouse-server", ...words], placeOf(options)).program, "the server"),
  gatehouse: (words, settings = {}) =>
    report(runImage(["gatehouse", ...words], { settings, mounts: [] }).program, `gatehouse ${words.join(" ")}`),
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
  const own = { SERVICE_LISTEN: "127.0.0.1:0", SERVICE_DATA_DIR: directory };
  return { dataDir: directory, settings: { ...own, ...settings }, mounts: [] };
}

function runImage(words: readonly string[], place: Place): { program: Program; name: string } {
  const image = process.env[imageVariable];
  const scratch = process.env[scratchVariable];
  if (image === undefined || scratch === undefined) throw new Error(`${imageVariable} names no image`);
  serial += 1;
  const name = `gatehouse-acceptance-${process.pid}-${serial}`;
  readable(place.settings["SERVICE_MASTER_KEY_FILE"]);
  const args = [
    "run",
    "--rm",
    `--name=${name}`,
    "--network=host",
    "--read-only",
    "--tmpfs=/tmp",
    "--cap-drop=ALL",
    ...["CHOWN", "DAC_OVERRIDE", "FOWNER", "SETUID", "SETGID", "SETPCAP"].map(
      (capability) => `--cap-add=${capability}`,
    ),
    "--security-opt=no-new-privileges",
    `--volume=${scratch}:${scratch}`,
    ...place.mounts.map((mount) => `--volume=${mount}`),
    ...Object.entries(place.settings).map(([key, value]) => `--env=${key}=${value}`),
    image,
    ...words,
  ];
  const env = { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "/", ...dockerEnvironment };
  return { program: startProgram("/usr/bin/docker", args, { env }), name };
}

/** An operator who mounts a key gives it to the server's user; so does this. */
function readable(path: string | undefined): void {
  if (path === undefined || !existsSync(path) || !lstatSync(path).isFile()) return;
  execFileSync("chown", ["10001:10001", path]);
  execFileSync("chmod", ["a+x", dirname(path)]);
}

function running(program: Program, name: string, dataDir: string, baseUrl: string): RunningServer {
  const signal = (which: NodeJS.Signals): void => docker("kill", `--signal=${which}`, name);
  return {
    baseUrl,
    dataDir,
    log: program.out,
    isRunning: program.isRunning,
    signal,
    ended: program.ended,
    stop: async (which = "SIGTERM") => {
      if (program.isRunning()) signal(which);
      return which === "SIGKILL" ? program.ended : endOf(program, endLimitMs, "the container");
    },
  };
}

function docker(...words: readonly string[]): void {
  execFileSync("/usr/bin/docker", words, { env: { ...process.env, ...dockerEnvironment }, stdio: "ignore" });
}

async function report(program: Program, what: string): Promise<Run> {
  const { code } = await endOf(program, endLimitMs, what);
  return { code, out: program.out.text, err: program.err.text };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { until } from "../support/until.ts";
import { giveInput } from "../support/give-input.ts";
import { stopMs } from "../support/stopped.ts";
import { fakeTime, needHostImage } from "./host-image.ts";
import { docker } from "./lab.ts";
import {
  addressOf,
  type Cut,
  cutWire,
  letIn,
  mendWire,
  type Plug,
  plugIn,
  serverAddress,
  turnAway,
  unplug,
} from "./wire.ts";

export interface RanOnHost {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Which run a host belongs to, so that one whose run was killed can be found and removed. */
export const runLabel = "gatehouse.lab.run";
export const runVariable = "GATEHOUSE_LAB_RUN";

/** Where a host has the certificate of an authority that it trusts. */
export const trustedFile = "/usr/local/share/ca-certificates/lab.crt";

const preloadFile = "/opt/lab/ld.so.preload";

const firstNumber = 11;
let started = 0;

/** Boots a host: Debian with systemd as its first process, on the wire of this run. Resolves when all its units are up. */
export async function startHost(name: string): Promise<ManagedHost> {
  const run = process.env[runVariable];
  if (run === undefined) throw new Error("hosts need a network of their own: start them with npm run lab");
  const number = firstNumber + started++;
  const image = await needHostImage();
  const own = [
    "--name",
    `gatehouse-host-${process.pid}-${number}`,
    "--hostname",
    name,
    "--label",
    `${runLabel}=${run}`,
  ];
  const wire = ["--network", "none", "--add-host", `${serverName}:${serverAddress}`];
  const host = new ManagedHost(
    (await docker("create", ...own, ...machine, ...wire, image)).stdout.trim(),
    name,
    number,
  );
  try {
    await host.boot();
    return host;
  } catch (error) {
    await host.remove();
    throw error;
  }
}

/** What systemd needs to be the first process, and WireGuard to make its device. It is told to halt by a signal of its own. */
const machine = [
  "--stop-signal=SIGRTMIN+3",
  "--cap-add=SYS_ADMIN",
  "--cap-add=NET_ADMIN",
  "--security-opt=seccomp=unconfined",
  "--security-opt=apparmor=unconfined",
  "--tmpfs=/run",
  "--tmpfs=/run/lock",
  "--volume=/sys/fs/cgroup:/sys/fs/cgroup:rw",
  "--cgroupns=host",
  "--device=/dev/net/tun",
  // The engine would switch IPv6 off with the network that it does not give.
  "--sysctl=net.ipv6.conf.all.disable_ipv6=0",
  "--sysctl=net.ipv6.conf.default.disable_ipv6=0",
];

/** What root may do on a host: what the engine leaves its first process. */
const rights =
  "chown dac_override fowner fsetid kill setgid setuid setpcap net_bind_service net_raw sys_chroot mknod audit_write setfcap sys_admin net_admin"
    .split(" ")
    .map((name) => `+${name}`)
    .join(",");

/** Read whenever somebody asks for the time. */
const clockFile = "/run/lab/clock";
const clockOf = (unit: string) => `/etc/systemd/system/${unit}.d/clock.conf`;

/** Under this name every host finds the front of the server. */
export const serverName = "gh.lab";

export class ManagedHost {
  readonly name: string;
  readonly address: string;
  readonly #id: string;
  #plug: Plug;
  #cut: Cut | undefined;
  #layer: Promise<string> | undefined;

  constructor(id: string, name: string, number: number) {
    this.#id = id;
    this.name = name;
    this.#plug = { pid: 0, number, time: 0 };
    this.address = addressOf(this.#plug);
  }

  /** Its first process, as the machine beneath it knows it. */
  get pid(): number {
    return this.#plug.pid;
  }

  /** Where a path of the host is found from outside. A link in it that is absolute would lead elsewhere. */
  place(path = ""): string {
    return join(`/proc/${this.#plug.pid}/root`, path);
  }

  /** The directory in which the engine keeps all that was written on the host since it was made, and nothing else. */
  layer(): Promise<string> {
    const asked = () => docker("inspect", "--format", "{{.GraphDriver.Data.UpperDir}}", this.#id);
    this.#layer ??= asked().then(({ stdout }) => stdout.trim());
    return this.#layer;
  }

  /** Switches it on. */
  async boot(): Promise<void> {
    await docker("start", this.#id);
    const { stdout } = await docker("inspect", "--format", "{{.State.Pid}}", this.#id);
    this.#plug = { ...this.#plug, pid: Number(stdout), time: this.#plug.time + 1 };
    await plugIn(this.#plug, this.#cut);
    let state = "";
    await until(`${this.name} is up`, async () => {
      // Nobody answers before the bus does.
      state = (await this.run("systemctl", "is-system-running", "--wait")).stdout.trim();
      return ["running", "degraded", "maintenance"].includes(state);
    });
    if (state === "running") return;
    const { stdout: units } = await this.run("systemctl", "list-units", "--failed", "--no-pager", "--plain");
    throw new Error(`${this.name} is ${state}:\n${units}`);
  }

  /** Runs a program as root and waits for its end, whatever that is. */
  run(...words: readonly string[]): Promise<RanOnHost> {
    return this.#exec(words);
  }

  /** The same with a text for its standard input. */
  runWith(input: string, ...words: readonly string[]): Promise<RanOnHost> {
    return this.#exec(words, input);
  }

  /** Lines for a shell that stops at the first failure; gives what they print, and fails when they do. */
  async shell(script: string): Promise<string> {
    const { code, stdout, stderr } = await this.run("sh", "-euc", script);
    if (code !== 0) throw new Error(`on ${this.name}, ended with ${code}: ${script}\n${stdout}${stderr}`);
    return stdout;
  }

  async write(path: string, bytes: string | Uint8Array, mode = "644"): Promise<void> {
    const script = 'mkdir -p "$1" && cat > "$2" && chmod "$3" "$2"';
    const { code, stderr } = await this.#exec(["sh", "-euc", script, "sh", dirname(path), path, mode], bytes);
    if (code !== 0) throw new Error(`cannot write ${path} on ${this.name}: ${stderr}`);
  }

  async read(path: string): Promise<string> {
    const { code, stdout, stderr } = await this.run("cat", path);
    if (code !== 0) throw new Error(`cannot read ${path} on ${this.name}: ${stderr}`);
    return stdout;
  }

  /** What a unit has said, in all boots. */
  async journal(unit: string): Promise<string> {
    return (await this.run("journalctl", "--no-pager", "--quiet", "--unit", unit)).stdout;
  }

  /** Takes an authority into the system's list, where curl and others look: what `update-ca-certificates` does, in no time. */
  async trust(certificate: string): Promise<void> {
    await this.write(trustedFile, certificate);
    await this.shell(`cat ${trustedFile} >> /etc/ssl/certs/ca-certificates.crt`);
  }

  /** Lets units live at another time, from their next start on: `+90d`, `-1h`; undefined is now. Nothing counts the seconds otherwise. */
  async shiftClock(by: string | undefined, ...units: readonly string[]): Promise<void> {
    if (by !== undefined) return this.#giveClock(`FAKETIME=${by}`, units);
    for (const unit of units) await this.shell(`rm ${clockOf(unit)}`);
    await this.shell("systemctl daemon-reload");
  }

  /** Gives units a clock that can be set while they run, from their next start on. The next boot sets it right. */
  async giveClock(...units: readonly string[]): Promise<void> {
    await this.setClock("+0");
    await this.#giveClock(`FAKETIME_TIMESTAMP_FILE=${clockFile} FAKETIME_NO_CACHE=1`, units);
  }

  /** For units with such a clock, from now on. */
  async setClock(by: string): Promise<void> {
    await this.write(`${clockFile}.next`, `${by}\n`);
    await this.shell(`mv ${clockFile}.next ${clockFile}`);
  }

  async #giveClock(clock: string, units: readonly string[]): Promise<void> {
    // The agent refuses LD_PRELOAD and its units unset it; the loader's own file is root's, and these units alone see this one.
    await this.write(preloadFile, `${fakeTime}\n`);
    const lines = [
      "[Service]",
      `BindReadOnlyPaths=${preloadFile}:/etc/ld.so.preload`,
      `Environment=${clock} FAKETIME_DONT_FAKE_MONOTONIC=1 FAKETIME_DISABLE_SHM=1`,
    ];
    for (const unit of units) await this.write(clockOf(unit), `${lines.join("\n")}\n`);
    await this.shell("systemctl daemon-reload");
  }

  /** Ends and boots again, as after `reboot`. */
  async restart(): Promise<void> {
    await docker("stop", "--time", String(stopMs / 1_000), this.#id);
    const { stdout } = await docker("inspect", "--format", "{{.State.ExitCode}}", this.#id);
    if (stdout.trim() === "137") throw new Error(`${this.name} did not halt and was killed`);
    await this.#bootAgain();
  }

  /** Everything on it dies at once; then it boots. What it had written is there: no disk forgets anything in this lab. */
  async cutPower(): Promise<void> {
    await docker("kill", "--signal", "KILL", this.#id);
    await docker("wait", this.#id);
    await this.#bootAgain();
  }

  /** Cuts the wire, for good: a restart does not mend it. */
  async cut(what: Cut): Promise<void> {
    if (this.#cut !== undefined) await this.mend();
    await cutWire(this.#plug, what);
    this.#cut = what;
  }

  async mend(): Promise<void> {
    if (this.#cut !== undefined) await mendWire(this.#plug);
    this.#cut = undefined;
  }

  /** For this host alone the server is gone, until it is back. */
  async loseServer(): Promise<void> {
    await turnAway(this.#plug);
  }

  async findServer(): Promise<void> {
    await letIn(this.#plug);
  }

  async remove(): Promise<void> {
    await docker("rm", "--force", "--volumes", this.#id);
    await unplug(this.#plug);
  }

  async #bootAgain(): Promise<void> {
    await unplug(this.#plug);
    await this.boot();
  }

  /** Starts a program as root that somebody else has to end. */
  start(words: readonly string[], hasInput = false): ChildProcess {
    // What `docker exec` does, without asking four programs for it: a hundred times as fast on a machine that is busy.
    const inside = [
      "--target",
      String(this.#plug.pid),
      "--all",
      "--",
      "setpriv",
      `--bounding-set=-all,${rights}`,
      "--",
    ];
    return spawn("nsenter", [...inside, ...words], {
      env: { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" },
      stdio: [hasInput ? "pipe" : "ignore", "pipe", "pipe"],
    });
  }

  async #exec(words: readonly string[], stdin?: string | Uint8Array): Promise<RanOnHost> {
    const child = this.start(words, stdin !== undefined);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout?.on("data", (part: Buffer) => stdout.push(part));
    child.stderr?.on("data", (part: Buffer) => stderr.push(part));
    giveInput(child.stdin, stdin);
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() };
  }
}

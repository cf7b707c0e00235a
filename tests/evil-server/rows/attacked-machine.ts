import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Ceiling, ceilingText, defaultCeiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import { writeDropIn } from "../../../apps/agent/src/ceiling/set-ceiling.ts";
import { type AgentPaths, agentPaths } from "../../../apps/agent/src/config.ts";
import { findHostIdentity } from "../../../apps/agent/src/local/host-key.ts";
import { elfOf } from "../../support/elf-program.ts";
import { agentUnit, helperUnit } from "../../lab/agent-on-host.ts";
import type { Authority } from "../../lab/authority.ts";
import { labInterface, untilInterfaceGone } from "../../lab/lab-wireguard.ts";
import { type ManagedHost, serverName, startHost, trustedFile } from "../../lab/managed-host.ts";
import { differences, type OutsideState, readOutside, withoutStamps } from "../../lab/outside-state.ts";
import { serverAddress } from "../../lab/wire.ts";
import { until } from "../../support/until.ts";
import { StolenServer } from "../stolen-server.ts";
import { codeFor, honestAnswer } from "./enrol-server.ts";
import { FollowedLog } from "./followed-log.ts";
import type { Found } from "./found.ts";

/** What root of a host has written down. */
export interface RootsWord {
  readonly ceiling: Ceiling | undefined;
  /** The bytes of the trust file; null for a host without one. */
  readonly trust: Uint8Array | null;
}

const bait = "worker_processes 1;\n";
const architecture = process.arch === "arm64" ? "arm64" : "x64";
/** Where rows lay what they like, and where their controls write. */
const touched = [
  "opt/programs",
  "etc/nginx",
  "etc/real",
  "etc/app.conf",
  "etc/nginx.conf",
  "etc/nginx-evil",
  "etc/app.conf.d",
];
const table = "table inet gatehouse_filter";
const unit = "[Service]\nExecStart=/bin/sleep infinity\n";
const program = "/opt/lab/gatehouse-agent";
/** Files of every Debian of which rows make a second name. */
const linked = [
  ["etc/passwd", 0o644],
  ["etc/shadow", 0o640],
] as const;

/** A host of the lab with the compiled agent, whose server is in other hands: all that is sent to it is ours. */
export class AttackedMachine {
  readonly paths: AgentPaths;
  readonly nodeId: string;
  readonly server: StolenServer;
  readonly url: string;
  readonly host: ManagedHost;
  /** What both parts have written to their log, and the manager about them. */
  readonly lines: readonly string[];
  readonly authority: Authority;
  /** How what somebody has done to the host is undone before the next one is laid, the last first. */
  readonly undo: (() => void | Promise<unknown>)[] = [];
  readonly #log: FollowedLog;
  /** Files as they were after the enrolment, which a row may have changed. */
  readonly #kept: readonly (readonly [string, Buffer])[];
  #pristine: OutsideState = new Map();
  #before: OutsideState = new Map();
  #word: RootsWord | undefined;
  /** The file of the agent that hosts run. */
  #agent: string;
  #isTouched = true;

  constructor(
    parts: Pick<AttackedMachine, "paths" | "nodeId" | "server" | "url" | "host" | "authority">,
    log: FollowedLog,
  ) {
    ({
      paths: this.paths,
      nodeId: this.nodeId,
      server: this.server,
      url: this.url,
      host: this.host,
      authority: this.authority,
    } = parts);
    this.#log = log;
    this.lines = log.lines;
    this.#agent = join(this.paths.root, program);
    const { server, hostKey, channelKey, root } = this.paths;
    this.#kept = [server, hostKey, channelKey, join(root, "etc/machine-id")].map((path) => [path, readFileSync(path)]);
  }

  /** Everything as root has made it; both parts, which have to be stopped, remember nothing. */
  async lay(word: RootsWord, before?: (machine: AttackedMachine) => Promise<void> | void): Promise<void> {
    Object.assign(this.server, { manner: "usual", carried: undefined, answerRequest: honestAnswer });
    this.server.attack([]);
    if (this.#isTouched) await this.#putBack();
    this.#forget();
    const isOther = this.#word?.ceiling !== word.ceiling || this.#word?.trust !== word.trust;
    if (this.#isTouched || isOther) {
      await this.#write(word);
      this.#before = await readOutside(this.host);
      this.#checkPutBack();
    }
    this.#isTouched = before !== undefined;
    if (before === undefined) return;
    await before(this);
    this.#before = await readOutside(this.host);
  }

  /** What is otherwise than when it was laid. What was found once is not found again. */
  async takeChanges(): Promise<string[]> {
    const after = await readOutside(this.host);
    const changes = differences(this.#before, after);
    this.#before = after;
    this.#isTouched ||= changes.length > 0;
    return changes;
  }

  /** Root ends the helper, whatever it does: the next one has counted nothing. */
  async stopParts(): Promise<void> {
    // In this order: a question of the one would start the other again.
    await this.host.shell(`systemctl stop ${agentUnit} && systemctl stop ${helperUnit}`);
    await this.#log.catchUp();
  }

  async killHelper(): Promise<void> {
    await this.host.shell(`systemctl kill --signal=KILL ${helperUnit}`);
  }

  /** The network part is stopped, and has forgotten how its last connections ended. */
  async forgetConnection(): Promise<void> {
    await this.host.shell(`systemctl stop ${agentUnit}`);
    await this.#log.catchUp();
    this.#forgetIn(this.paths.networkState, "channel.key");
  }

  async startAgent(): Promise<void> {
    await this.host.shell(`systemctl start ${agentUnit}`);
  }

  /** The first line of the log behind that place that is so. */
  async untilSaid(what: string, from: number, isIt: (line: string) => boolean): Promise<string> {
    const find = () => this.lines.slice(from).find(isIt);
    await until(`${this.host.name} says ${what}`, () => find() !== undefined);
    return find() ?? "";
  }

  /** Root enrols the host once more, with the server that it has. */
  async enrol(): Promise<Found> {
    const { code, stdout, stderr } = await this.host.run(program, "enrol", codeFor(this.url), "--ca", trustedFile);
    return { code: code === 0 ? "answered" : "nothing", detail: `${stdout}${stderr}`.trim(), at: "enrol" };
  }

  /** Puts another program in the place of the agent. */
  async exchangeAgent(file: string): Promise<void> {
    await this.stopParts();
    this.#agent = file;
    await this.putAgentBack();
    this.#isTouched = true;
    this.#pristine = new Map();
  }

  /** The program that rows are for takes its places again, whatever an update has put there. Nothing of it may run. */
  async putAgentBack(): Promise<void> {
    for (const place of [this.paths.binary, this.paths.rescue]) {
      copyFileSync(this.#agent, `${place}.other`);
      chmodSync(`${place}.other`, 0o755);
      await this.host.shell(
        `mv ${[`${place}.other`, place].map((path) => path.slice(this.paths.root.length)).join(" ")}`,
      );
    }
  }

  async close(): Promise<void> {
    this.#log.close();
    await this.server.close();
    await this.host.remove();
  }

  /** Everything that rows have touched has to be as it was, but for when it was written. */
  #checkPutBack(): void {
    const now = bare(this.#before);
    if (this.#pristine.size === 0) this.#pristine = now;
    const left = differences(this.#pristine, now);
    if (left.length > 0) throw new Error(`${this.host.name} was not put back: ${left.join("; ")}`);
  }

  async #putBack(): Promise<void> {
    for (const undone of this.undo.splice(0).toReversed()) await undone();
    const at = (name: string) => join(this.paths.root, name);
    chmodSync(at("etc"), 0o755);
    for (const name of touched) rmSync(at(name), { recursive: true, force: true });
    layBait(this.paths.root);
    rmSync(`${this.paths.server}.next`, { force: true });
    await this.host.shell(`nft 'add ${table}; delete ${table}'`);
    if ((await this.host.run("ip", "link", "delete", "dev", labInterface)).code === 0)
      await untilInterfaceGone(this.host);
  }

  /** The two places of the agent itself. */
  #forget(): void {
    const { helperState, networkState } = this.paths;
    this.#forgetIn(helperState, "host.key");
    this.#forgetIn(networkState, "channel.key");
    for (const [path, bytes] of this.#kept) {
      if (!readFileSync(path).equals(bytes)) writeFileSync(path, bytes);
    }
  }

  #forgetIn(directory: string, own: string): void {
    for (const name of readdirSync(directory)) {
      if (name !== own) rmSync(join(directory, name), { recursive: true, force: true });
    }
  }

  async #write(word: RootsWord): Promise<void> {
    const { ceiling, trust, helperDropIn } = this.paths;
    rmSync(ceiling, { force: true });
    rmSync(trust, { force: true });
    if (word.ceiling !== undefined) writeFileSync(ceiling, ceilingText(word.ceiling), { mode: 0o600 });
    if (word.trust !== null) writeFileSync(trust, word.trust, { mode: 0o644 });
    const dropIn = () => (existsSync(helperDropIn) ? readFileSync(helperDropIn, "utf8") : "");
    const before = dropIn();
    await writeDropIn(this.paths, word.ceiling ?? defaultCeiling);
    if (dropIn() !== before) await this.host.shell("systemctl daemon-reload");
    this.#word = word;
  }
}

/** Without when anything was written, and without what root says otherwise for every row. */
function bare(state: OutsideState): OutsideState {
  const word =
    /^\/etc\/(gatehouse\/(ceiling|trust)\.json|systemd\/system\/gatehouse-(helper|boot)\.service\.d\/50-ceiling\.conf)$/;
  return new Map([...state].filter(([name]) => !word.test(name)).map(([name, what]) => [name, withoutStamps(what)]));
}

function layBait(root: string): void {
  mkdirSync(join(root, "etc/nginx"), { mode: 0o755 });
  writeFileSync(join(root, "etc/nginx/nginx.conf"), bait, { mode: 0o644 });
  mkdirSync(join(root, "opt/programs/acme"), { recursive: true, mode: 0o755 });
  for (const name of ["tool", "acme/tool"]) {
    writeFileSync(join(root, "opt/programs", name), elfOf(architecture), { mode: 0o755 });
  }
}

/** Boots a host, and lets its root enrol it with a server that is stolen already. */
export async function openAttackedMachine(name: string, agent: string, authority: Authority): Promise<AttackedMachine> {
  const host = await startHost(name);
  const server = new StolenServer({ name: serverName, address: serverAddress, ...authority.issue(serverName) });
  try {
    await host.trust(authority.certificate);
    const url = await server.listen();
    const paths = agentPaths(host.place());
    layBait(paths.root);
    mkdirSync(host.place("opt/lab"), { recursive: true });
    cpSync(agent, host.place(program));
    writeFileSync(host.place("etc/systemd/system/nginx.service"), unit);
    // Now they are in the layer that is read: a second name of one would bring it there later.
    for (const [name, mode] of linked) chmodSync(host.place(name), mode);
    // systemd would make it when a unit gets a clock of its own.
    writeFileSync(host.place("etc/ld.so.preload"), "");
    const log = new FollowedLog(host);
    server.answerRequest = honestAnswer;
    await host.shell(
      `${program} enrol ${codeFor(url)} --ca ${trustedFile} && systemctl stop ${agentUnit} ${helperUnit}`,
    );
    const { nodeId } = findHostIdentity({ paths, owner: 0 }) ?? { nodeId: "" };
    return new AttackedMachine({ host, server, url, paths, nodeId, authority }, log);
  } catch (error) {
    await server.close();
    await host.remove();
    throw error;
  }
}

import { createHash } from "node:crypto";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { trustDigest } from "@gatehouse/approval/verify";
import type { JsonObject } from "@gatehouse/base";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract/faults";
import { agentSubject } from "@gatehouse/plan";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import type { AgentPaths } from "../../../apps/agent/src/config.ts";
import type { Timers } from "../../../apps/agent/src/host/timers.ts";
import { type HelperVerbName, openAskHelper } from "../../../apps/agent/src/local/ask-helper.ts";
import { untilEnded, untilNothingIsLeft } from "../../lab/change-on-host.ts";
import type { Random } from "../../support/random.ts";
import { announceTask, type MadeTask } from "../../support/signed-task.ts";
import { usualTrust } from "./approvers.ts";
import type { AttackedMachine } from "./attacked-machine.ts";
import type { Found } from "./found.ts";

/** Which host a row wants. Without a word: everything may be changed on it that Ada, Bob or Cleo approves. */
export interface HostWish {
  readonly ceiling?: Ceiling | "none written";
  /** The bytes of its trust file; null for a host without one. */
  readonly trust?: Uint8Array | null;
  /** Done by its root, or by whoever is at it, before anything is sent; it is no change that anybody is blamed for. */
  readonly before?: (machine: AttackedMachine) => Promise<void> | void;
}

export const everything = [
  "file.write:/etc/nginx",
  "file.write:/etc/app.conf",
  "service.restart:nginx.service",
  "firewall.apply:gatehouse_filter",
  "network.wireguard:wg0",
  "binary.replace:/opt/programs",
  "binary.replace:/opt/programs/acme=acme",
  "agent.update",
] as const;

export const signedCeiling: Ceiling = { schema: 1, level: "managed", allow: [...everything], accepts: "signed" };
export const serverCeiling: Ceiling = { ...signedCeiling, accepts: "server" };

/** Of the agent that was compiled for the rows: that of its sources. */
const packageFile = join(import.meta.dirname, "../../../package.json");
export const ownVersion = (JSON.parse(readFileSync(packageFile, "utf8")) as { readonly version: string }).version;

/** A host that is starved answers late, and no clock decides what a row has found. */
const patient: Timers = { after: () => () => undefined };

/** What is asked of a helper that only counts so many in a minute. */
export interface Asked {
  tasks: number;
  states: number;
}

/** A host under attack, and its helper; the network part is in the attacker's hands. */
export class RowHost {
  readonly machine: AttackedMachine;
  readonly trustDigest: string;
  readonly #random: Random;
  readonly #asked: Asked;

  constructor(machine: AttackedMachine, trust: Uint8Array | null, random: Random, asked: Asked) {
    this.machine = machine;
    this.trustDigest = trustDigest(trust ?? usualTrust);
    this.#random = random;
    this.#asked = asked;
  }

  get nodeId(): string {
    return this.machine.nodeId;
  }

  get paths(): AgentPaths {
    return this.machine.paths;
  }

  /** 16 bytes that nobody used before. */
  newId(): string {
    return Uint8Array.from({ length: 16 }, () => this.#random.below(256)).toHex();
  }

  /** What an honest host would have told the author of a plan; null where there is none. */
  stateOf(subject: string): JsonObject | null {
    if (subject === agentSubject) {
      const sha256 = createHash("sha256").update(readFileSync(this.paths.binary)).digest("hex");
      return { sha256, version: ownVersion, architecture: process.arch };
    }
    const path = this.machine.host.place(/^(?:file|binary):(.*)$/.exec(subject)?.[1] ?? "nowhere");
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isFile() !== true) return null;
    const mode = (found.mode & 0o7777).toString(8).padStart(4, "0");
    const sha256 = createHash("sha256").update(readFileSync(path)).digest("hex");
    return { sha256, mode, owner: "root", group: "root" };
  }

  /** Asks the helper as the network part does. */
  async ask(verb: string, fields: JsonObject = {}): Promise<Found & { readonly answer: JsonObject }> {
    if (verb === "task.submit") this.#asked.tasks += 1;
    if (verb === "state.read") this.#asked.states += 1;
    const ask = openAskHelper({ socket: this.paths.helperSocket, timers: patient });
    try {
      const answer = await ask(verb as HelperVerbName, fields);
      return { code: "answered", detail: JSON.stringify(answer), at: verb, answer };
    } catch (error) {
      if (!isFault(error)) throw error;
      return { code: error.code, detail: error.detail, at: verb, answer: {} };
    }
  }

  announce(made: MadeTask, more: JsonObject = {}): ReturnType<RowHost["ask"]> {
    return this.ask("task.submit", { ...announceTask(made).fields, ...more });
  }

  /** Submits a change, brings what the helper says that it misses, and submits it again: the first refusal, or the last answer. */
  async offer(made: MadeTask): Promise<Found> {
    const brought = await this.bring(made);
    return brought.code === "answered" ? this.announce(made) : brought;
  }

  /** The first half of that: all its parts are there, and it is not judged yet. */
  async bring(made: MadeTask): Promise<Found> {
    const first = await this.announce(made);
    const { blobs } = announceTask(made);
    for (const { sha256 } of (first.answer["missing"] ?? []) as readonly { readonly sha256: string }[]) {
      const brought = await this.put(sha256, blobs.get(sha256) ?? new Uint8Array());
      if (brought.code !== "answered") return brought;
    }
    return first;
  }

  /** The same, and where the host takes it: how it has ended, by the host's own journal. */
  async change(made: MadeTask): Promise<Found> {
    const found = await this.offer(made);
    return found.code === "answered" ? this.end() : found;
  }

  /** The same where somebody has a unit of the dead-man's name: nothing waits until that is gone. */
  async changeBeside(made: MadeTask): Promise<Found> {
    const found = await this.offer(made);
    if (found.code !== "answered") return found;
    return { code: await untilEnded(this.machine.host), detail: "as the host's own journal says", at: "journal" };
  }

  /** The server brings it over the agent's own connection. */
  async carry(made: MadeTask): Promise<Found> {
    await this.machine.forgetConnection();
    this.machine.server.carried = made;
    await this.machine.startAgent();
    return this.end();
  }

  /** How the change ends that the host has taken. */
  async end(): Promise<Found> {
    const { host } = this.machine;
    const end = await untilEnded(host);
    await untilNothingIsLeft(host);
    return { code: end, detail: "as the host's own journal says", at: "journal" };
  }

  async put(sha256: string, bytes: Uint8Array): Promise<Found> {
    for (let offset = 0; offset < bytes.byteLength; offset += channelLimits.pullBytes) {
      const piece = bytes.subarray(offset, offset + channelLimits.pullBytes);
      const found = await this.ask("blob.put", { sha256, offset, bytes: encodeBase64url(piece) });
      if (found.code !== "answered") return found;
    }
    return { code: "answered", detail: "", at: "blob.put" };
  }

  /** Kills the helper in the middle of whatever it does; the next question starts it again. */
  async kill(): Promise<void> {
    await this.machine.killHelper();
    Object.assign(this.#asked, { tasks: 0, states: 0 });
  }
}

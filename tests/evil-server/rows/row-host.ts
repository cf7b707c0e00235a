import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { trustDigest } from "@gatehouse/approval/verify";
import type { JsonObject } from "@gatehouse/base";
import { channelLimits, encodeBase64url } from "@gatehouse/channel";
import { isFault } from "@gatehouse/contract/faults";
import type { Ceiling } from "../../../apps/agent/src/ceiling/ceiling.ts";
import { systemTimers } from "../../../apps/agent/src/host/timers.ts";
import { type HelperVerbName, openAskHelper } from "../../../apps/agent/src/local/ask-helper.ts";
import { readFileState } from "../../../apps/agent/src/operations/read-file-state.ts";
import type { Random } from "../../support/random.ts";
import { announceTask, type MadeTask } from "../../support/signed-task.ts";
import { type AttackedHost, makeAttackedHost } from "../attacked-host.ts";
import { findChanges, type HostState, readHostState } from "../host-state.ts";
import { type HelperCommand, type RunningAgent, startParts } from "../running-agent.ts";
import { serverPublicKey } from "../stolen-server.ts";
import { usualTrust } from "./approvers.ts";
import type { Found } from "./found.ts";

/** Which host a row wants. Without a word: everything may be changed on it that Ada, Bob or Cleo approves. */
export interface HostWish {
  readonly ceiling?: Ceiling | "none written";
  /** The bytes of its trust file; null for a host without one. */
  readonly trust?: Uint8Array | null;
  /** Done by its root, or by whoever is at it, before anything is sent; it is no change that anybody is blamed for. */
  readonly before?: (host: AttackedHost) => Promise<void> | void;
  readonly server?: { readonly url: string; readonly key: Uint8Array };
}

export const everything = [
  "file.write:/etc/nginx",
  "file.write:/etc/app.conf",
  "service.restart:nginx.service",
  "firewall.apply:gatehouse_filter",
  "agent.update",
] as const;

export const signedCeiling: Ceiling = { schema: 1, level: "managed", allow: [...everything], accepts: "signed" };
export const serverCeiling: Ceiling = { ...signedCeiling, accepts: "server" };

/** A host under attack, and its helper; the network part is in the attacker's hands. */
export class RowHost {
  readonly host: AttackedHost;
  readonly trustDigest: string;
  readonly #command: HelperCommand;
  readonly #random: Random;
  readonly #before: HostState;
  #helper: RunningAgent;
  #lines: string[] = [];

  constructor(made: Made, command: HelperCommand, random: Random, helper: RunningAgent) {
    this.host = made.host;
    this.trustDigest = made.trustDigest;
    this.#before = made.before;
    this.#command = command;
    this.#random = random;
    this.#helper = helper;
  }

  get nodeId(): string {
    return this.host.identity.nodeId;
  }

  /** What the helper has written to its log, also before it was started anew. */
  get lines(): readonly string[] {
    return [...this.#lines, ...this.#helper.lines];
  }

  place(path: string): string {
    return join(this.host.paths.root, path);
  }

  /** 16 bytes that nobody used before. */
  newId(): string {
    return Uint8Array.from({ length: 16 }, () => this.#random.below(256)).toHex();
  }

  /** What an honest host would have told the author of a plan; null where there is none. */
  async stateOf(subject: string): Promise<JsonObject | null> {
    const path = /^file:(.*)$/.exec(subject)?.[1];
    if (path === undefined) return null;
    const ground = { root: this.host.paths.root, checkTime: () => undefined, privateKey: new Uint8Array(32) };
    return readFileState({ ...ground, run: async () => ({ code: null, stdout: "", stderr: "" }) }, path);
  }

  /** Asks the helper as the network part does. */
  async ask(verb: string, fields: JsonObject = {}): Promise<Found & { readonly answer: JsonObject }> {
    const ask = openAskHelper({ socket: this.host.paths.helperSocket, timers: systemTimers });
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
    const first = await this.announce(made);
    if (first.code !== "answered") return first;
    const { blobs } = announceTask(made);
    for (const { sha256 } of (first.answer["missing"] ?? []) as readonly { readonly sha256: string }[]) {
      const brought = await this.put(sha256, blobs.get(sha256) ?? new Uint8Array());
      if (brought.code !== "answered") return brought;
    }
    return this.announce(made);
  }

  async put(sha256: string, bytes: Uint8Array): Promise<Found> {
    for (let offset = 0; offset < bytes.byteLength; offset += channelLimits.pullBytes) {
      const piece = bytes.subarray(offset, offset + channelLimits.pullBytes);
      const found = await this.ask("blob.put", { sha256, offset, bytes: encodeBase64url(piece) });
      if (found.code !== "answered") return found;
    }
    return { code: "answered", detail: "", at: "blob.put" };
  }

  /** Ends the helper in the middle of whatever it does, and starts it again. */
  async restart(): Promise<void> {
    this.#helper.kill();
    await this.#helper.ended;
    this.#lines.push(...this.#helper.lines);
    rmSync(this.host.paths.helperSocket, { force: true });
    this.#helper = await startParts(this.host, this.#command);
  }

  /** Ends it, and says what of the host is otherwise than before. */
  async close(): Promise<string[]> {
    const started = this.#helper.started();
    this.#helper.kill();
    await this.#helper.ended;
    this.#lines.push(...this.#helper.lines);
    return [
      ...findChanges(this.#before, this.host.directory),
      ...started,
      ...this.#lines.filter((line) => line.includes("defect")),
    ];
  }
}

interface Made {
  readonly host: AttackedHost;
  readonly trustDigest: string;
  readonly before: HostState;
}

/** Writes the host down as its root has made it. */
export async function makeRowHost(directory: string, wish: HostWish): Promise<Made> {
  const { ceiling = signedCeiling, trust = usualTrust, server } = wish;
  const written = ceiling === "none written" ? undefined : ceiling;
  const host = await makeAttackedHost(
    directory,
    { name: "a row", ceiling: written, isEnd: false },
    server ?? { url: "http://127.0.0.1:9", key: serverPublicKey },
  );
  if (trust !== null) writeFileSync(host.paths.trust, trust, { mode: 0o644 });
  await wish.before?.(host);
  return { host, trustDigest: trustDigest(trust ?? usualTrust), before: readHostState(directory) };
}

export async function openRowHost(
  directory: string,
  command: HelperCommand,
  random: Random,
  wish: HostWish,
): Promise<RowHost> {
  const made = await makeRowHost(directory, wish);
  return new RowHost(made, command, random, await startParts(made.host, command));
}

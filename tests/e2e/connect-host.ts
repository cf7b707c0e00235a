import { createHash } from "node:crypto";
import { serverOrderId } from "@gatehouse/approval";
import {
  agentSubprotocol,
  controlPath,
  type DriftPart,
  decodeBase64url,
  type FrameOf,
  type OutcomeDetail,
  readControlFrame,
  readWitnessHead,
  writeControlFrame,
} from "@gatehouse/channel";
import { type HostEnd, metricLimits, type TaskStepName, type WitnessCode } from "@gatehouse/contract";
import { readSigned } from "@gatehouse/keys/frame";
import { PretendHost } from "../support/pretend-host.ts";
import type { TellState } from "../support/pretend-state.ts";
import type { Api } from "./api.ts";
import type { InventedMinute } from "./invent-minutes.ts";
import { LogSender, type ToldLog } from "./log-sender.ts";
import type { World } from "./world.ts";

/** A head of the audit log, as a host says that it holds it. */
export type ToldHeld = NonNullable<FrameOf<"~witness">["held"]>;

export interface ConnectedHost {
  /** Says what it has measured, as its agent does with the beats. */
  readonly measure: (minutes: readonly InventedMinute[]) => void;
  /** Says what it finds when it hashes again what was confirmed there. */
  readonly drift: (parts: readonly DriftPart[]) => void;
  /** Tells lines of its logs; resolves when the server has kept them. Only for a host that `logs`. */
  readonly log: (told: ToldLog) => Promise<void>;
  /** The first head of the audit log that the server has shown it. Only for a host that keeps `heads`. */
  readonly shownHead: () => Promise<ToldHeld>;
  /** Says which head it holds, and why it does not take what it was shown. */
  readonly hold: (held: ToldHeld, code?: WitnessCode) => void;
  readonly close: () => void;
}

export type BroughtHost = ConnectedHost & { readonly id: string };

export interface HostWays {
  /** Makes it a host that says what its parts are like when the server asks, and that beats for as long as it is here. */
  readonly tell?: TellState;
  readonly ceiling?: object;
  /** What its agent is built for; x64 unless named. */
  readonly arch?: "x64" | "arm64";
  /** Those that it tells; one of a documentation's network unless named. */
  readonly addresses?: readonly string[];
  /** Makes it a host that tells lines of its logs, and that beats too. */
  readonly logs?: boolean;
  /** Makes it a host that keeps heads of the audit log. */
  readonly heads?: boolean;
  /** Makes it a host that answers each change with this refusal, without asking for its parts. */
  readonly refuses?: { readonly code: string; readonly detail: string };
  /** Makes it a host that takes each change, and then says of it what it is told to. */
  readonly takes?: (change: TakenChange) => void;
}

/** A change that a host has taken: what it says of it, and when, is for whoever plays the host. */
export interface TakenChange {
  readonly step: (state: TaskStepName) => void;
  /** Signed by the host, for a word to the server that it was sent under. */
  readonly end: (word: string, outcome: HostEnd, detail?: Partial<OutcomeDetail>) => void;
}

/** Spends a code as a host does: over the network, with keys of its own. */
export async function enrolHost(baseUrl: string, host: PretendHost, code: string): Promise<void> {
  const answer = await fetch(`${baseUrl}/api/agent/enrol`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(host.enrolment(code)),
  });
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`the host was answered ${answer.status}: ${text}`);
}

/** Enrols a host under a name and connects it; the answer is also its id. */
export async function bringHost(
  { baseUrl }: Pick<World, "baseUrl">,
  api: Pick<Api, "call">,
  named: { readonly name: string; readonly tags?: readonly string[] },
  ways: HostWays = {},
): Promise<BroughtHost> {
  const { status, body } = await api.call("POST", "/api/nodes/enrolments", named);
  if (status !== 201) throw new Error(`a code for ${named.name} was answered ${status} ${JSON.stringify(body)}`);
  const [first] = body["items"] as { readonly code: string }[];
  const host = new PretendHost(named.name);
  await enrolHost(baseUrl, host, first?.code ?? "");
  return { ...(await connectHost(baseUrl, host, ways)), id: host.nodeId };
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const beatMs = 5_000;
const toldHello = { agentVersion: "0.2.1-alpha.1", cursor: { acked: 0, last: 0 } };

/** Dials, says hello, and tells its facts: a host that is online until it is closed. */
export async function connectHost(
  baseUrl: string,
  host: PretendHost,
  { tell, ceiling, arch = "x64", addresses, logs = false, heads = false, refuses, takes }: HostWays = {},
): Promise<ConnectedHost> {
  const socket = new WebSocket(`${baseUrl.replace("http", "ws")}${controlPath}`, [agentSubprotocol]);
  socket.binaryType = "arraybuffer";
  const came: MessageEvent[] = [];
  const { promise: ended, reject: end } = Promise.withResolvers<never>();
  // Also without anybody who waits: a host that is turned away ends so.
  ended.catch(() => undefined);
  let wake = (): void => undefined;
  socket.addEventListener("message", (message) => {
    if (typeof message.data === "string") return answer(message.data);
    came.push(message);
    wake();
  });
  socket.addEventListener("close", ({ code, reason }) => end(new Error(`the channel ended: ${code} ${reason}`)));
  const next = async (): Promise<Uint8Array> => {
    const arrived = new Promise<void>((resolve) => (wake = resolve));
    if (came.length === 0) await Promise.race([arrived, ended]);
    return new Uint8Array(came.shift()?.data as ArrayBuffer);
  };
  const hasTasks = refuses !== undefined || takes !== undefined;
  const named = { state: tell !== undefined, task: hasTasks, logs, witness: heads };
  const features = Object.entries(named).flatMap(([feature, has]) => (has ? [feature] : []));
  const { promise: shown, resolve: show } = Promise.withResolvers<ToldHeld>();
  const sender = new LogSender((frame) => socket.send(frame));
  socket.send(host.hello(await next(), { body: { ...toldHello, features } }));
  await next();
  const facts = host.facts({ arch, ...(ceiling !== undefined && { mode: "managed" }) }, ceiling);
  socket.send(writeControlFrame(addresses === undefined ? facts : { ...facts, addresses: [...addresses] }));
  const beats = tell === undefined && !logs ? undefined : setInterval(beat, beatMs).unref();
  let seq = 0;
  let told = 0;
  return {
    measure: (minutes) => {
      for (let first = 0; first < minutes.length; first += metricLimits.sentMinutes) {
        const sent = minutes.slice(first, first + metricLimits.sentMinutes);
        const told = sent.map(({ at, values }) => ({ at, values: [...values] }));
        socket.send(writeControlFrame({ t: "~minutes", at: Date.now(), minutes: told }));
      }
    },
    drift: (parts) => socket.send(writeControlFrame(host.drift(parts))),
    log: (told) => Promise.race([sender.tell(told), ended]),
    shownHead: () => Promise.race([shown, ended]),
    hold: (held, code) => socket.send(writeControlFrame({ t: "~witness", held, code: code ?? null })),
    close: () => {
      clearInterval(beats);
      socket.close();
    },
  };

  function beat(): void {
    seq += 1;
    socket.send(writeControlFrame({ t: "beat", seq, at: Date.now(), values: [] }));
  }

  function answer(text: string): void {
    const asked = readControlFrame(text, "server");
    if (asked?.t === "want-logs" || asked?.t === "logs-ack") sender.take(asked);
    if (asked?.t === "head") show(headOf(asked));
    if (asked?.t === "task" && refuses !== undefined) {
      socket.send(writeControlFrame({ t: "task-refused", task: asked.task, ...refuses }));
    }
    if (asked?.t === "task" && takes !== undefined) {
      socket.send(writeControlFrame({ t: "task-taken", task: asked.task }));
      takes(changeOf(asked));
    }
    if (asked?.t !== "want-state" || tell === undefined) return;
    const states = Object.fromEntries(asked.subjects.map((subject) => [subject, tell(subject)]));
    for (const piece of host.states(asked, states)) socket.send(writeControlFrame(piece));
  }

  function headOf({ signed }: FrameOf<"head">): ToldHeld {
    const head = readSigned(decodeBase64url(signed) ?? new Uint8Array(), [64], readWitnessHead)?.value;
    if (head === undefined) throw new Error("what the server signed is no head");
    const { n, position, link, at } = head;
    return { n, position, link: link.toHex(), at };
  }

  function changeOf(task: FrameOf<"task">): TakenChange {
    return {
      step: (state) => socket.send(writeControlFrame({ t: "~step", task: task.task, state, at: Date.now() })),
      end: (word, outcome, detail = {}) => {
        told += 1;
        const said = { code: "", detail: "", foreign: [], ...detail };
        const approvalId = Buffer.from(serverOrderId(sha256, task.task, word), "hex");
        socket.send(writeControlFrame(host.outcome({ ...task, approvalId }, { outcome, detail: said, seq: told })));
      },
    };
  }
}

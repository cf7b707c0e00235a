import { createHash } from "node:crypto";
import { readOrder } from "@gatehouse/approval";
import { parseStrictJsonBytes } from "@gatehouse/base";
import { channelLimits, type ControlFrame, type FrameOf, readPiece } from "@gatehouse/channel";
import type { HostEnd } from "@gatehouse/contract";
import { signatureLength } from "@gatehouse/keys";
import { readSigned } from "@gatehouse/keys/frame";
import { type PlanSection, sectionDigest } from "@gatehouse/plan";
import { type AgentYard, SimulatedAgent } from "../fleet/simulated-agent.ts";
import type { PretendHost } from "../support/pretend-host.ts";
import { trustsServer } from "../support/pretend-state.ts";
import type { HostChange } from "./changes.ts";

export interface ChangingYard extends AgentYard {
  /** The next number in the order of what all hosts do. */
  next(): number;
}

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
const partNames = ["header", "digests", "section", "approvals"] as const;
type PartName = (typeof partNames)[number];

interface Carried {
  readonly task: FrameOf<"task">;
  readonly parts: Map<PartName, Uint8Array>;
  pieces: Uint8Array[];
}

/** A host that trusts its server: it says what it is like, brings every part of its task, looks at it and signs how it ended. */
export class ChangingAgent extends SimulatedAgent {
  readonly #changing: ChangingYard;
  readonly #end: HostEnd;
  readonly #tasks = new Set<string>();
  readonly #ends: HostEnd[] = [];
  #carried: Carried | undefined;
  #outbox: FrameOf<"out"> | undefined;
  #acked = 0;
  #pulls = 0;
  #offers = 0;
  #offeredAt = 0;
  #endedAt = 0;

  constructor(host: PretendHost, yard: ChangingYard, end: HostEnd) {
    super(host, yard);
    this.#changing = yard;
    this.#end = end;
  }

  get change(): HostChange {
    return {
      node: this.host.nodeId,
      tasks: [...this.#tasks],
      offers: this.#offers,
      offeredAt: this.#offeredAt,
      endedAt: this.#endedAt,
      ends: this.#ends,
      isKept: this.isKept,
    };
  }

  get isKept(): boolean {
    return this.#outbox !== undefined && this.#acked === this.#outbox.seq;
  }

  protected override hello(challenge: Uint8Array): Uint8Array {
    const cursor = { acked: this.#acked, last: this.#outbox?.seq ?? 0 };
    return this.host.hello(challenge, { body: { agentVersion: "0.2.1-alpha.1", cursor, features: ["state", "task"] } });
  }

  /** What it carried went with its connection; what it has signed is said again until it is kept. */
  protected override begin(): void {
    this.#carried = undefined;
    if (this.#outbox !== undefined && !this.isKept) this.send(this.#outbox);
  }

  protected override takeMore(came: ControlFrame | Uint8Array): boolean {
    if (came instanceof Uint8Array) return this.#takePiece(came);
    if (came.t === "want-state") {
      const states = Object.fromEntries(came.subjects.map((subject) => [subject, trustsServer(subject)]));
      for (const piece of this.host.states(came, states)) this.send(piece);
    } else if (came.t === "task") this.#takeTask(came);
    else if (came.t === "out-ack") this.#acked = came.seq;
    else return false;
    return true;
  }

  #takeTask(task: FrameOf<"task">): void {
    this.#offers += 1;
    if (this.#offeredAt === 0) this.#offeredAt = this.#changing.next();
    this.#tasks.add(task.task);
    if (this.#ends.length > 0 && this.#tasks.size === 1) return this.send({ t: "task-taken", task: task.task });
    this.#carried = { task, parts: new Map(), pieces: [] };
    this.#pull();
  }

  /** One piece after the other, as an agent does. */
  #pull(): void {
    const carried = this.#carried;
    const name = partNames.find((one) => carried?.parts.has(one) === false);
    if (carried === undefined) return;
    if (name === undefined) return this.#judge(carried);
    const { sha256: digest, size } = carried.task.parts[name];
    const offset = lengthOf(carried.pieces);
    const length = Math.min(channelLimits.pullBytes, size - offset);
    this.#pulls += 1;
    this.send({ t: "pull", request: this.#pulls, sha256: digest, offset, length });
  }

  #takePiece(message: Uint8Array): boolean {
    const piece = readPiece(message);
    const carried = this.#carried;
    const name = partNames.find((one) => carried?.parts.has(one) === false);
    if (carried === undefined || name === undefined || piece?.request !== this.#pulls) return false;
    carried.pieces.push(piece.bytes);
    const { sha256: digest, size } = carried.task.parts[name];
    if (lengthOf(carried.pieces) === size) {
      const bytes = Buffer.concat(carried.pieces);
      if (sha256(bytes).toHex() !== digest) return false;
      carried.parts.set(name, bytes);
      carried.pieces = [];
    }
    this.#pull();
    return true;
  }

  /** The part of a host's own judgement that tells whether this is its task: its section, in its place, under an order for it. */
  #judge({ task, parts }: Carried): void {
    this.#carried = undefined;
    const { nodeId } = this.host;
    const read = parseStrictJsonBytes(parts.get("section") ?? new Uint8Array());
    const section = read.ok ? (read.value as unknown as PlanSection) : undefined;
    const own = parts.get("digests")?.subarray(32 * task.index, 32 * (task.index + 1));
    const order = readSigned(parts.get("approvals"), [signatureLength], readOrder)?.value;
    const isOwn = section?.node === nodeId && own?.toHex() === sectionDigest(sha256, section);
    if (!isOwn || order?.nodeId !== nodeId || order.planDigest !== task.planDigest) {
      return this.#changing.wrong(this, `the task ${task.task} is not for this host`);
    }
    this.send({ t: "task-taken", task: task.task });
    const seq = (this.#outbox?.seq ?? 0) + 1;
    const approvalId = Uint8Array.fromHex(order.orderId);
    this.#outbox = this.host.outcome({ ...task, approvalId }, { outcome: this.#end, seq });
    this.#ends.push(this.#end);
    this.#endedAt = this.#changing.next();
    this.send(this.#outbox);
  }
}

function lengthOf(pieces: readonly Uint8Array[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

import { createHash } from "node:crypto";
import { enrolLine, parseEnrolCode } from "@gatehouse/channel";
import type { AgentBinary, NewEnrolment, Node } from "@gatehouse/contract/routes";
import { until } from "../support/until.ts";
import type { Front } from "./front.ts";
import { LabOwner } from "./lab-owner.ts";
import { type ManagedHost, trustedFile } from "./managed-host.ts";

/** Three missed beats are soon missed, and the desk may ask as often as it likes. */
export const fleetSettings = {
  SERVICE_AGENT_BEAT_SECONDS: "1",
  SERVICE_AGENT_WINDOW_SECONDS: "2",
  SERVICE_API_RATE: "500,1000",
  SERVICE_SIGNIN_RATE: "1000",
} as const;

/** As the audit log keeps it. */
export interface HostEventEntry {
  readonly what: string;
  readonly seq: number;
}

/** Somebody who administers the nodes of the lab's server: the owner. */
export class FleetDesk {
  readonly #front: Front;
  readonly owner: LabOwner;

  constructor(front: Front) {
    this.#front = front;
    this.owner = new LabOwner(front);
  }

  async code(wanted: object = {}): Promise<NewEnrolment> {
    const { json, status, text } = await this.owner.send("POST", "/api/nodes/enrolments", wanted);
    if (status !== 201) throw new Error(`the codes were answered ${status}: ${text}`);
    return (json["items"] as NewEnrolment[])[0] as NewEnrolment;
  }

  /** The line that is printed for a host, with the digest of what the server offers. */
  async line(wanted: object = {}): Promise<string> {
    const { code } = await this.code(wanted);
    const { json } = await this.#front.ask("/api/agent/download");
    const [binary] = (json["items"] as AgentBinary[]).filter(({ arch }) => arch === process.arch);
    if (binary === undefined) throw new Error("the server has no agent for this processor");
    return enrolLine({ url: this.#front.url, arch: binary.arch, sha256: binary.sha256, code, ca: trustedFile });
  }

  async nodes(): Promise<readonly Node[]> {
    return (await this.owner.send("GET", "/api/nodes")).json["items"] as Node[];
  }

  async node(host: ManagedHost): Promise<Node | undefined> {
    return (await this.nodes()).find(({ hostname }) => hostname === host.name);
  }

  /** What a node has told of itself, oldest first. */
  async events(id: string): Promise<readonly HostEventEntry[]> {
    const path = `/api/audit?limit=200&subject=${encodeURIComponent(`node/${id}`)}`;
    const entries = (await this.owner.send("GET", path)).json["items"] as { action: string; detail: unknown }[];
    const told = entries.toReversed().filter(({ action }) => action === "node.event");
    return told.map(({ detail }) => detail as HostEventEntry);
  }

  /** Waits until the server says so of the host. */
  async until(host: ManagedHost, isSo: (node: Node) => boolean, what: string): Promise<Node> {
    let found: Node | undefined;
    await until(`${host.name}: ${what}`, async () => {
      found = await this.node(host);
      return found !== undefined && isSo(found);
    });
    return found as Node;
  }

  /** The server's own key, as it stands in every code. */
  async serverKey(): Promise<Uint8Array> {
    return parseEnrolCode((bytes) => createHash("sha256").update(bytes).digest(), (await this.code()).code).server;
  }

  revoke(id: string): Promise<void> {
    return this.#change(id, { revoked: true });
  }

  tag({ id }: Node, tags: readonly string[]): Promise<void> {
    return this.#change(id, { tags });
  }

  async #change(id: string, to: object): Promise<void> {
    const { headers } = await this.owner.send("GET", `/api/nodes/${id}`);
    const { status, text } = await this.owner.send("PATCH", `/api/nodes/${id}`, to, headers["etag"]);
    if (status !== 200) throw new Error(`${JSON.stringify(to)} was answered ${status}: ${text}`);
  }

  online(host: ManagedHost): Promise<Node> {
    return this.until(host, ({ state }) => state === "online", "is online");
  }
}

const hourMs = 3_600_000;

/** By how many hours the clock of one is ahead of the other's, as the server saw both. However late a beat was heard, it was no hour. */
export function hoursAhead({ clockSkewMs }: Node, than: Node): number {
  // Adding 0 makes a plain 0 of a negative one.
  return Math.round(((clockSkewMs ?? Number.NaN) - (than.clockSkewMs ?? Number.NaN)) / hourMs) + 0;
}

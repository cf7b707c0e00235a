import { request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { isPlanEnd } from "@gatehouse/contract";
import type { Plan, PlanTask, PlanWaves } from "@gatehouse/contract/routes";
import type { FleetServer } from "../fleet/fleet-server.ts";
import { signIn } from "../fleet/people.ts";

const lookMs = 200;

export interface Answer<Body> {
  readonly status: number;
  readonly etag: string;
  readonly body: Body & { readonly code?: string; readonly detail?: string };
}

/** Somebody who makes, reads, approves and starts plans over HTTP, with as much patience as it takes. */
export class PlanDesk {
  readonly #server: FleetServer;
  #cookie = "";

  constructor(server: FleetServer) {
    this.#server = server;
  }

  /** Approving and starting want a proof that is fresh, and what came before may have taken long. */
  async signIn(): Promise<string> {
    this.#cookie = await signIn(this.#server);
    return this.#cookie;
  }

  async activate(id: string): Promise<void> {
    for (const status of ["installed", "active"]) await this.done("POST", "/api/plugins/lifecycle", { id, status });
  }

  plan(id: string): Promise<Answer<Plan>> {
    return this.done("GET", `/api/plans/${id}`);
  }

  /** A step of the plan as it is now. */
  async move(id: string, step: "review" | "approvals" | "apply", body?: unknown): Promise<Plan> {
    const { etag } = await this.plan(id);
    return (await this.done<Plan>("POST", `/api/plans/${id}/${step}`, body, { "If-Match": etag })).body;
  }

  async untilEnded(id: string): Promise<Plan> {
    for (;;) {
      const { body } = await this.plan(id);
      if (isPlanEnd(body.state) || body.state === "halted") return body;
      await delay(lookMs);
    }
  }

  async waves(id: string): Promise<PlanWaves["items"]> {
    return (await this.done<PlanWaves>("GET", `/api/plans/${id}/waves`)).body.items;
  }

  tasks(id: string): Promise<readonly PlanTask[]> {
    return this.pages(`/api/plans/${id}/tasks?limit=500`);
  }

  async pages<Item>(path: string): Promise<Item[]> {
    const all: Item[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const { body } = await this.done<{ items: Item[]; nextCursor: string | null }>("GET", `${path}${more}`);
      all.push(...body.items);
      cursor = body.nextCursor;
    }
    return all;
  }

  /** For what has to be granted. */
  async done<Body>(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer<Body>> {
    const answer = await this.ask<Body>(method, path, body, headers);
    if (answer.status < 300) return answer;
    throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  }

  /** Without a time after which it is given up: a plan for ten thousand hosts may take minutes to make. */
  ask<Body>(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer<Body>> {
    const { base } = this.#server;
    const all = { cookie: this.#cookie, Origin: base, "Content-Type": "application/json", ...headers };
    const { promise, resolve, reject } = Promise.withResolvers<Answer<Body>>();
    const sent = request(`${base}${path}`, { method, headers: all }, (came) => {
      const parts: Buffer[] = [];
      came.on("data", (part: Buffer) => parts.push(part));
      came.once("error", reject);
      came.once("end", () => {
        const told = JSON.parse(Buffer.concat(parts).toString()) as Answer<Body>["body"];
        resolve({ status: came.statusCode ?? 0, etag: came.headers.etag ?? "", body: told });
      });
    });
    sent.once("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
    return promise;
  }
}

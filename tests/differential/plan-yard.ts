import type { Artifact, Plan, PlanSectionView } from "@gatehouse/contract/routes";
import { importPrivateKey } from "@gatehouse/keys";
import type { Operation } from "@gatehouse/plan";
import { runLine } from "../../apps/cli/test/run-commands.ts";
import { type ConnectedHost, connectHost } from "../e2e/connect-host.ts";
import { FleetServer, findServerPort } from "../fleet/fleet-server.ts";
import { enrolAll, hasFacts, signIn } from "../fleet/people.ts";
import { PretendHost } from "../support/pretend-host.ts";
import { trustsServer } from "../support/pretend-state.ts";
import { until } from "../support/until.ts";
import { programOf } from "./drawn-operations.ts";

/** The real server with hosts that answer what it asks, and the command line beside it. */
export interface PlanYard {
  readonly nodes: readonly string[];
  make(nodes: readonly string[], operations: readonly Operation[], title: string): Promise<Plan>;
  document(plan: string): Promise<Uint8Array>;
  sections(plan: string): Promise<readonly PlanSectionView[]>;
  /** What the command line prints; a plan that the lint refuses is exit code 1. */
  gatehouse(line: string): Promise<string>;
  close(): Promise<void>;
}

const hostCount = 4;
const scopes = ["plan:read", "node:read"];

export async function openPlanYard(directory: string): Promise<PlanYard> {
  const server = new FleetServer({ directory, port: await findServerPort(), beatSeconds: 30, windowSeconds: 90 });
  const connected: ConnectedHost[] = [];
  const close = async () => {
    for (const host of connected) host.close();
    const code = await server.stop();
    if (code !== 0) throw new Error(`the server ended with ${code}: ${server.errors.join("\n")}`);
  };
  await server.start();
  try {
    const cookie = await signIn(server);
    const hosts = Array.from({ length: hostCount }, (_, at) => madeHost(at));
    await enrolAll(server, cookie, hosts);
    for (const host of hosts) connected.push(await connectHost(server.base, host, { tell: trustsServer }));
    await until("the hosts are known", () => hasFacts(server, cookie, hosts));
    const ask = (path: string, body?: unknown) => answerOf(server, cookie, path, body);
    const { token } = (await (await ask("/api/tokens", { name: "reader", scopes })).json()) as { token: string };
    const environment = { GATEHOUSE_TOKEN: token, GATEHOUSE_SERVER: server.base };
    let before: Promise<unknown> = Promise.resolve();
    return {
      nodes: hosts.map(({ nodeId }) => nodeId),
      make: (nodes, operations, title) => {
        const wanted = { title, summary: title, nodes, operations, management: ["192.0.2.0/24"] };
        // A host is asked by one at a time what it is like.
        const made = before.then(async () => {
          for (const one of operations) if (one.kind === "binary.replace") await bring(server, cookie, one);
          return (await (await ask("/api/plans", wanted)).json()) as Plan;
        });
        before = made;
        return made;
      },
      document: async (plan) => (await ask(`/api/plans/${plan}/document`)).bytes(),
      sections: async (plan) => {
        const { items } = (await (await ask(`/api/plans/${plan}/sections?limit=10`)).json()) as {
          items: readonly PlanSectionView[];
        };
        return items;
      },
      gatehouse: async (line) => {
        const { out, err } = await runLine(line, { environment });
        if (err !== "") throw new Error(`gatehouse ${line}: ${err}`);
        return out;
      },
      close,
    };
  } catch (error) {
    server.kill();
    throw error;
  }
}

/** With keys of its own number: the same node ids in every run. */
function madeHost(at: number): PretendHost {
  const key = (use: number) => importPrivateKey(new Uint8Array(32).fill(at * 2 + use));
  return new PretendHost(`web-${at + 1}`, { host: key(1), channel: key(2) });
}

/** A plan names programs that the server has. Nobody there looks at who has signed them. */
async function bring(
  server: FleetServer,
  cookie: string,
  operation: Extract<Operation, { kind: "binary.replace" }>,
): Promise<void> {
  const { path: _, ...facts } = operation;
  const announced = await answerOf(server, cookie, "/api/artifacts", { ...facts, kind: "binary" });
  const { id } = (await announced.json()) as Artifact;
  await answerOf(server, cookie, `/api/artifacts/${id}/parts/0`, programOf(operation));
}

/** Without a body it is asked for; bytes are put there. */
async function answerOf(server: FleetServer, cookie: string, path: string, body: unknown): Promise<Response> {
  const isBytes = body instanceof Uint8Array;
  const type = isBytes ? "application/octet-stream" : "application/json";
  const answer = await fetch(`${server.base}${path}`, {
    headers: { cookie, Origin: server.base, ...(body !== undefined && { "Content-Type": type }) },
    ...(body !== undefined && {
      method: isBytes ? "PUT" : "POST",
      body: isBytes ? (body as Uint8Array<ArrayBuffer>) : JSON.stringify(body),
    }),
  });
  if (!answer.ok) throw new Error(`${path} was answered ${answer.status}: ${await answer.text()}`);
  return answer;
}

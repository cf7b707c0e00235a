import { type Approval, sectionBits } from "@gatehouse/approval";
import { firstTrust, trustDigest } from "@gatehouse/approval/verify";
import type { FrameOf } from "@gatehouse/channel";
import type { Plan, PlanTask } from "@gatehouse/contract/routes";
import { answerStates } from "../../support/answer-states.ts";
import { makeKey, usualStatement } from "../../support/approvers.ts";
import type { FakeConnection } from "../../support/fake-host.ts";
import { pretendState, type TellState, trustsServer } from "../../support/pretend-state.ts";
import { type KnownHost, newHost } from "./fleet.ts";
import { type Answer, call, type Headers, type Person } from "./people.ts";

export { signatureBody } from "../../support/approvers.ts";

/** Whose signature counts on hosts that say so. */
export const adaKey = makeKey("ssh-ed25519", 1);
export const adasTrust = firstTrust([{ name: "Ada", keys: [adaKey] }]);
export const trustsAda: TellState = (subject) =>
  subject === "host:trust" ? { accepts: "signed", trust: adasTrust.toBase64() } : pretendState(subject);

/** A host that is connected, says what it is like when it is asked, and keeps the tasks that come. */
export interface PlannedHost extends KnownHost {
  readonly connection: FakeConnection;
  readonly nextTask: () => Promise<FrameOf<"task">>;
}

const ceiling = { schema: 1, level: "managed", allow: ["service.restart:nginx.service", "file.write:/srv"] };

export async function plannedHost(
  port: number,
  owner: Pick<Person, "as">,
  { name = "web-1", tell = trustsServer }: { readonly name?: string; readonly tell?: TellState } = {},
): Promise<PlannedHost> {
  const known = await newHost(port, owner, name);
  const features = ["state", "task"];
  const body = { agentVersion: "0.2.1-alpha.1", cursor: { acked: 0, last: 0 }, features };
  const connection = await known.hello({ body });
  await connection.sendFacts({ mode: "managed" }, ceiling);
  const tasks: FrameOf<"task">[] = [];
  let wake = (): void => undefined;
  answerStates(connection, known.host, tell, (sent) => {
    if (sent.t === "task") tasks.push(sent);
    wake();
  });
  const nextTask = async (): Promise<FrameOf<"task">> => {
    for (;;) {
      const first = tasks.shift();
      if (first !== undefined) return first;
      await new Promise<void>((resolve) => (wake = resolve));
    }
  };
  return { ...known, connection, nextTask };
}

export const restartNginx = {
  title: "Restart nginx",
  summary: "After the certificate was renewed.",
  operations: [{ kind: "service.restart", unit: "nginx.service" }],
};

export interface Refused {
  readonly code?: string;
  readonly detail?: string;
}

export function askForPlan(port: number, as: Headers, body: object): Promise<Answer<Plan & Refused>> {
  return call(port, "POST", "/api/plans", { as, body });
}

export async function newPlan(port: number, as: Headers, body: object): Promise<Plan> {
  const made = await askForPlan(port, as, body);
  if (made.status !== 201) throw new Error(`making a plan was answered ${made.status} ${JSON.stringify(made.body)}`);
  return made.body;
}

export async function shownPlan(port: number, as: Headers, id: string): Promise<Plan & { readonly tag: string }> {
  const { body, raw } = await call<Plan>(port, "GET", `/api/plans/${id}`, { as });
  return { ...body, tag: raw.headers.get("etag") ?? "" };
}

/** One of the things that people do with a plan, as it is now unless `tag` is another. */
export async function move(
  port: number,
  as: Headers,
  id: string,
  { deed, body, tag }: { readonly deed: string; readonly body?: object; readonly tag?: string },
): Promise<Answer<Plan & Refused>> {
  const seen = tag ?? (await shownPlan(port, as, id)).tag;
  return call(port, "POST", `/api/plans/${id}/${deed}`, { as, headers: [["If-Match", seen]], ...(body && { body }) });
}

export async function tasksOf(port: number, as: Headers, id: string): Promise<readonly PlanTask[]> {
  return (await call<{ items: PlanTask[] }>(port, "GET", `/api/plans/${id}/tasks`, { as })).body.items;
}

/** What Ada signs about a whole plan, good for an hour. */
export function statementAbout(plan: Plan, changed: Partial<Approval> = {}): Omit<Approval, "keyId"> {
  const sections = sectionBits(plan.nodes, Array(plan.nodes).keys());
  const about = { planDigest: plan.digest, sections, trust: [trustDigest(adasTrust)] };
  return { ...usualStatement(Date.now(), about), ...changed };
}

import type { Node, Plan, PlanSectionView, PlanTask } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, ask } from "../acceptance/ask.ts";
import { type Operator, signIn } from "../acceptance/plugin-yard.ts";
import { SshApprover } from "../support/ssh-approver.ts";
import { until } from "../support/until.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import type { Front } from "./front.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";

/** From a statement that OpenSSH signed to the word of a real host's helper, inside its unit. No host is changed. */
let lab: Lab<"alpha" | "beta"> | undefined;
let front: Front;
let alpha: ManagedHost;
let beta: ManagedHost;
let signed: Node;
let trusting: Node;
const ada = new SshApprover();
const stranger = new SshApprover("ecdsa");
const allowed = "--allow file.write:/etc/lab --allow service.restart:nftables.service";
const byAda = `--approver '${ada.line}' --fingerprint ${ada.fingerprint}`;

beforeAll(async () => {
  lab = await openLab(["alpha", "beta"], fleetSettings);
  ({ front } = lab);
  ({ alpha, beta } = lab.hosts);
  const desk = new FleetDesk(front);
  for (const host of [alpha, beta]) {
    await host.shell(await desk.line());
    await desk.online(host);
    await host.write("/etc/lab/open", "open\n");
  }
  await alpha.shell(`gatehouse-agent ceiling set managed ${allowed} ${byAda}`);
  await beta.shell(`gatehouse-agent ceiling set managed ${allowed} --server-trusted`);
  signed = await desk.until(alpha, ({ facts }) => facts?.accepts === "signed", "takes signatures");
  trusting = await desk.until(beta, ({ facts }) => facts?.accepts === "server", "trusts the server");
  const settings = { plans: { selfApproval: true } };
  expect(await send("PATCH", "/api/settings", settings)).toMatchObject({ status: 200 });
});
afterAll(async () => {
  ada.remove();
  stranger.remove();
  await lab?.close();
});

const written = {
  kind: "file.write",
  path: "/etc/lab/open",
  text: "new\n",
  mode: "0644",
  owner: "root",
  group: "root",
};

/** As the owner, who has just proved who he is. */
async function send(method: string, path: string, body?: unknown, etag?: string): Promise<Answer> {
  const { server, headers }: Operator = await signIn(front.server);
  const more = { ...headers, "Content-Type": "application/json", ...(etag !== undefined && { "If-Match": etag }) };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  return ask(server.baseUrl, { method, path, headers: more, ...text });
}

async function read<Value>(path: string): Promise<Value> {
  const { json, status, text } = await send("GET", path);
  expect(status, text).toBe(200);
  return json as Value;
}

async function makePlan(...on: readonly Node[]): Promise<Plan> {
  const wanted = {
    title: "Lab",
    summary: "On real hosts.",
    operations: [written],
    nodes: on.map(({ id }) => id),
    review: true,
  };
  const { json, status, text } = await send("POST", "/api/plans", wanted);
  expect(status, text).toBe(201);
  return json as Plan;
}

/** Brings something to a plan as it stands now. */
async function bring(plan: Plan, what: "approvals" | "apply", body?: object): Promise<Answer> {
  const { headers } = await send("GET", `/api/plans/${plan.id}`);
  return send("POST", `/api/plans/${plan.id}/${what}`, body, headers["etag"]);
}

/** The statement for one host of a plan, by the approver's key. */
async function statementFor(plan: Plan, node: Node, approver: SshApprover): Promise<object> {
  const { items } = await read<{ items: PlanSectionView[] }>(`/api/plans/${plan.id}/sections`);
  const index = items.findIndex((section) => section.node === node.id);
  const trust = [node.facts?.trustDigest ?? ""];
  return approver.approve({ planDigest: plan.digest, sections: items.length, chosen: [index], trust });
}

/** How the plan ended on each host, once all have said so. */
async function outcomesOf(plan: Plan): Promise<Record<string, string>> {
  await until("the plan is done", async () => (await read<Plan>(`/api/plans/${plan.id}`)).state === "done");
  const { items } = await read<{ items: PlanTask[] }>(`/api/plans/${plan.id}/tasks`);
  return Object.fromEntries(items.map(({ name, state, code }) => [name, `${state} ${code}`]));
}

async function filesAreAsTheyWere(): Promise<void> {
  for (const host of [alpha, beta]) expect(await host.read("/etc/lab/open")).toBe("open\n");
}

test("each host judges the approval by itself, and finds nothing wrong with one that its own approver signed", async () => {
  const plan = await makePlan(signed, trusting);
  const { json } = await bring(plan, "approvals", await statementFor(plan, signed, ada));
  expect(json).toMatchObject({ state: "in_review", awaiting: 1 });
  const { json: both } = await bring(plan, "approvals", { server: true });
  expect(both).toMatchObject({ state: "approved", awaiting: 0 });
  expect(await bring(plan, "apply")).toMatchObject({ status: 200, json: { state: "running" } });
  expect(await outcomesOf(plan)).toEqual({ alpha: "refused apply.absent", beta: "refused apply.absent" });
  await filesAreAsTheyWere();
});

test("an approval by a key that the host does not know is refused before anybody believes in it", async () => {
  const plan = await makePlan(signed);
  const answer = await bring(plan, "approvals", await statementFor(plan, signed, stranger));
  expect(answer).toMatchObject({ status: 403, json: { code: "signature.key_unknown" } });
  expect(await bring(plan, "apply")).toMatchObject({ status: 409, json: { code: "plan.not_approved" } });
});

test("a host that was edited since the plan was made refuses it as stale", async () => {
  const plan = await makePlan(signed);
  await bring(plan, "approvals", await statementFor(plan, signed, ada));
  await alpha.write("/etc/lab/open", "edited\n");
  await bring(plan, "apply");
  expect(await outcomesOf(plan)).toEqual({ alpha: "stale state.stale" });
  expect(await alpha.read("/etc/lab/open")).toBe("edited\n");
  await alpha.write("/etc/lab/open", "open\n");
});

test("what root of a host takes back after the approval no longer counts", async () => {
  const plan = await makePlan(signed);
  await bring(plan, "approvals", await statementFor(plan, signed, ada));
  await alpha.shell("gatehouse-agent ceiling set monitor");
  await bring(plan, "apply");
  expect(await outcomesOf(plan)).toEqual({ alpha: "refused ceiling.off" });
  expect(await alpha.journal("gatehouse-helper.service")).toContain("ceiling.off");
  await alpha.shell(`gatehouse-agent ceiling set managed ${allowed} ${byAda}`);
  await filesAreAsTheyWere();
});

test("another approver than the one who signed is named by root, and the approval no longer counts", async () => {
  const plan = await makePlan(signed);
  await bring(plan, "approvals", await statementFor(plan, signed, ada));
  const other = `--approver '${stranger.line}' --fingerprint ${stranger.fingerprint}`;
  await alpha.shell(`gatehouse-agent trust reset ${other}`);
  await bring(plan, "apply");
  expect(await outcomesOf(plan)).toEqual({ alpha: "refused statement.trust" });
  await filesAreAsTheyWere();
});

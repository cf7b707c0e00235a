import type { Node } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SshApprover } from "../support/ssh-approver.ts";
import { FleetDesk, fleetSettings } from "./fleet-desk.ts";
import type { ManagedHost } from "./managed-host.ts";
import { type Lab, openLab } from "./open-lab.ts";
import { PlanDesk } from "./plan-desk.ts";

/** From a statement that OpenSSH signed to the word of a real host's helper, inside its unit. */
let lab: Lab<"alpha" | "beta"> | undefined;
let plans: PlanDesk;
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
  ({ alpha, beta } = lab.hosts);
  const desk = new FleetDesk(lab.front);
  plans = new PlanDesk(desk.owner);
  for (const host of [alpha, beta]) {
    await host.shell(await desk.line());
    await desk.online(host);
    await host.write("/etc/lab/open", "open\n");
  }
  await alpha.shell(`gatehouse-agent ceiling set managed ${allowed} ${byAda}`);
  await beta.shell(`gatehouse-agent ceiling set managed ${allowed} --server-trusted`);
  signed = await desk.until(alpha, ({ facts }) => facts?.accepts === "signed", "takes signatures");
  trusting = await desk.until(beta, ({ facts }) => facts?.accepts === "server", "trusts the server");
  await plans.allowOwnPlans();
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

async function filesAreAsTheyWere(): Promise<void> {
  for (const host of [alpha, beta]) expect(await host.read("/etc/lab/open")).toBe("open\n");
}

test("each host judges the approval by itself, and makes the change where its own approver signed or its server is trusted", async () => {
  const plan = await plans.makePlan([written], signed, trusting);
  const { json } = await plans.bring(plan, "approvals", await plans.statementFor(plan, signed, ada));
  expect(json).toMatchObject({ state: "in_review", awaiting: 1 });
  const { json: both } = await plans.bring(plan, "approvals", { server: true });
  expect(both).toMatchObject({ state: "approved", awaiting: 0 });
  expect(await plans.bring(plan, "apply")).toMatchObject({ status: 200, json: { state: "running" } });
  expect(await plans.outcomesOf(plan)).toEqual({ alpha: "applied null", beta: "applied null" });
  for (const host of [alpha, beta]) {
    expect(await host.read("/etc/lab/open")).toBe("new\n");
    await host.write("/etc/lab/open", "open\n");
  }
});

test("an approval by a key that the host does not know is refused before anybody believes in it", async () => {
  const plan = await plans.makePlan([written], signed);
  const answer = await plans.bring(plan, "approvals", await plans.statementFor(plan, signed, stranger));
  expect(answer).toMatchObject({ status: 403, json: { code: "signature.key_unknown" } });
  expect(await plans.bring(plan, "apply")).toMatchObject({ status: 409, json: { code: "plan.not_approved" } });
});

test("a host that was edited since the plan was made refuses it as stale", async () => {
  const plan = await plans.makePlan([written], signed);
  await plans.bring(plan, "approvals", await plans.statementFor(plan, signed, ada));
  await alpha.write("/etc/lab/open", "edited\n");
  await plans.bring(plan, "apply");
  expect(await plans.outcomesOf(plan)).toEqual({ alpha: "stale state.stale" });
  expect(await alpha.read("/etc/lab/open")).toBe("edited\n");
  await alpha.write("/etc/lab/open", "open\n");
});

test("what root of a host takes back after the approval no longer counts", async () => {
  const plan = await plans.makePlan([written], signed);
  await plans.bring(plan, "approvals", await plans.statementFor(plan, signed, ada));
  await alpha.shell("gatehouse-agent ceiling set monitor");
  await plans.bring(plan, "apply");
  expect(await plans.outcomesOf(plan)).toEqual({ alpha: "refused ceiling.off" });
  expect(await alpha.journal("gatehouse-helper.service")).toContain("ceiling.off");
  await alpha.shell(`gatehouse-agent ceiling set managed ${allowed} ${byAda}`);
  await filesAreAsTheyWere();
});

test("another approver than the one who signed is named by root, and the approval no longer counts", async () => {
  const plan = await plans.makePlan([written], signed);
  await plans.bring(plan, "approvals", await plans.statementFor(plan, signed, ada));
  const other = `--approver '${stranger.line}' --fingerprint ${stranger.fingerprint}`;
  await alpha.shell(`gatehouse-agent trust reset ${other}`);
  await plans.bring(plan, "apply");
  expect(await plans.outcomesOf(plan)).toEqual({ alpha: "refused statement.trust" });
  await filesAreAsTheyWere();
});

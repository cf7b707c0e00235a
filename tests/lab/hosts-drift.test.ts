import type { Node, NodeDrift, Plan } from "@gatehouse/contract/routes";
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../support/until.ts";
import { agentUnit } from "./agent-on-host.ts";
import { untilNothingIsLeft } from "./change-on-host.ts";
import { firewallWith, labTable } from "./lab-firewalls.ts";
import { labSettings, restart, serviceOn, settingsOf } from "./lab-service.ts";
import { type ApprovedHost, type ManagedLab, openManagedLab } from "./managed-lab.ts";

/** A real host whose root changes by hand what a plan has left there. */
let lab: ManagedLab<"alpha">;
let alpha: ApprovedHost;
let first: Plan;

beforeAll(async () => {
  lab = await openManagedLab(["alpha"]);
  ({ alpha } = lab.hosts);
});
afterAll(() => lab.close());

const applied = { alpha: "applied null" };
const path = () => `/api/nodes/${alpha.node.id}/drift`;
const drift = () => lab.plans.read<NodeDrift>(path());

/** The subjects that are not as confirmed, as the server has them. */
async function untilDrift(what: string, subjects: readonly string[]): Promise<NodeDrift> {
  const isSo = ({ items }: NodeDrift) =>
    JSON.stringify(items.map(({ subject }) => subject)) === JSON.stringify(subjects);
  await until(what, async () => isSo(await drift()));
  return drift();
}

/** A start of the agent is a reason to look: nobody waits for the hour. */
async function lookNow(): Promise<void> {
  await alpha.host.shell(`systemctl restart ${agentUnit}`);
  await lab.desk.online(alpha.host);
}

test("drift made by hand on a host is found and planned back", async () => {
  const { host, node, approver } = alpha;
  first = await lab.plans.begin([firewallWith(8_002), settingsOf("good 2\n"), restart], node, approver);
  expect(await lab.plans.outcomesOf(first)).toEqual(applied);
  await untilNothingIsLeft(host);
  await until("the host has looked, and all is as confirmed", async () => (await drift()).watched === 2);
  expect(await drift()).toMatchObject({ more: 0, items: [] });
  const table = await host.shell(`nft -s list table inet ${labTable}`);

  await host.shell(`nft add rule inet ${labTable} input tcp dport 2323 accept && echo 'good by hand' >${labSettings}`);
  await lookNow();
  const found = await untilDrift("what differs is found", [`file:${labSettings}`, `firewall:${labTable}`]);
  const digest = expect.stringMatching(/^[0-9a-f]{64}$/);
  for (const item of found.items) {
    expect(item).toMatchObject({ state: "differs", plan: first.digest, expected: digest, found: digest, why: null });
  }
  expect((await lab.plans.read<Node>(`/api/nodes/${node.id}`)).drift).toMatchObject({ parts: 2 });
  expect(await host.shell("gatehouse-agent status || true")).toContain(`others: file:${labSettings}`);

  const before = await serviceOn(host);
  const { json, status, text } = await lab.plans.send("POST", `${path()}/plan`, {});
  expect(status, text).toBe(201);
  const back = json as Plan;
  expect(back).toMatchObject({ title: "Plan back: alpha", kinds: ["file.write", "firewall.apply", "service.restart"] });
  expect(await host.read(labSettings), "a plan changes nothing before it is applied").toBe("good by hand\n");
  await lab.plans.beginAll(back, [node], approver);
  expect(await lab.plans.outcomesOf(back)).toEqual(applied);
  await untilNothingIsLeft(host);
  expect([await host.read(labSettings), await host.shell(`nft -s list table inet ${labTable}`)]).toEqual([
    "good 2\n",
    table,
  ]);
  expect((await serviceOn(host)).start).not.toBe(before.start);
  await untilDrift("the host says that all is as confirmed again", []);
  expect((await lab.plans.read<Node>(`/api/nodes/${node.id}`)).drift).toBeNull();
});

test("what is gone is found, and what root puts back by hand is no difference any more", async () => {
  const { host } = alpha;
  const text = await host.read(labSettings);
  await host.shell(`rm ${labSettings}`);
  await lookNow();
  const { items } = await untilDrift("what is gone is found", [`file:${labSettings}`]);
  expect(items).toMatchObject([{ state: "missing", found: null }]);
  await host.write(labSettings, text);
  await lookNow();
  await untilDrift("what root has put back is as confirmed", []);
});

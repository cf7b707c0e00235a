import { trustsServer } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { serverCeiling } from "../host-ceilings.ts";
import { nothingWrong } from "../seed-plans.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** An approver finds what waits and gives a word for hosts that trust the server; the plan is applied, and the hosts answer. */
export async function planRun({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const fault = { code: "ceiling.unit", detail: "expected one of haproxy.service, found nginx.service" };
  const ways = { tell: trustsServer, ceiling: serverCeiling };
  const willing = await bringHost(world, api, { name: `run-${word}` }, { ...ways, refuses: nothingWrong });
  const wary = await bringHost(world, api, { name: `wary-${word}` }, { ...ways, refuses: fault });
  const approver = { username: `ines-${word}`, password: userPassword };
  await api.newUser(approver.username, "approver");
  const title = `Restart nginx.service for ${word}`;
  const made = await api.call("POST", "/api/plans", {
    title,
    summary: "The certificate was renewed.",
    nodes: [willing.id, wary.id],
    operations: [{ kind: "service.restart", unit: "nginx.service" }],
  });
  if (made.status !== 201) throw new Error(`the plan was answered ${made.status} ${JSON.stringify(made.body)}`);

  await enter(window, approver);
  await page.goto("/plans?waiting=me");
  const plans = page.getByRole("table", { name: "Plans" });
  await judge("the plans that wait for an approver");
  await hand.openRow(plans, title);
  await page.getByText("takes: this server’s word").first().waitFor();
  await page.getByText("Nobody has approved it yet.").waitFor();
  await hand.press(page.getByRole("button", { name: "Approve for hosts that trust this server…" }));
  const approve = page.getByRole("dialog", { name: "Approve for hosts that trust this server" });
  await judge("the dialog that approves a plan");
  await hand.press(approve.getByRole("button", { name: "Approve the plan for these hosts" }));
  await approve.waitFor({ state: "hidden" });
  await page.getByRole("status").filter({ hasText: "Approved" }).waitFor();
  await page.getByText("Every host that takes changes has enough approvals.").waitFor();
  await judge("an approved plan");

  await enter(window, admin);
  await page.goto(`/plans/${String(made.body["id"])}`);
  await hand.press(page.getByRole("button", { name: "Apply…" }));
  const apply = page.getByRole("dialog", { name: "Apply the plan" });
  await apply.getByText("Every host judges it by itself.").waitFor();
  await judge("the dialog that applies a plan");
  await hand.press(apply.getByRole("button", { name: "Apply the plan" }));
  await apply.waitFor({ state: "hidden" });
  const answers = page.getByRole("table", { name: "What became of it on each host" });
  await answers
    .getByRole("row")
    .filter({ hasText: `run-${word}` })
    .filter({ hasText: "Nothing wrong" })
    .waitFor();
  await answers
    .getByRole("row")
    .filter({ hasText: `wary-${word}` })
    .filter({ hasText: "ceiling.unit" })
    .waitFor();
  await page.getByRole("status").filter({ hasText: "2 of 2 answered: 1 nothing wrong, 1 refused" }).waitFor();
  await page.getByRole("status").filter({ hasText: "Done" }).waitFor();
  await page.getByText("No host was changed.").waitFor();
  await judge("a plan that every host has answered");

  await page.goto(`/nodes/${willing.id}`);
  await page.getByText("This server’s word").first().waitFor();
  await page.getByText("tcp/22 from 198.51.100.0/24").waitFor();
  willing.close();
  wary.close();
}

import { pretendState } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { managedCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** An operator plans a change of a host; an approver reads the difference and rejects it with a reason. */
export async function planReview(stage: Stage): Promise<void> {
  const { world, page, hand, window, word, judge } = stage;
  const api = await openApi(world);
  const ways = { tell: pretendState, ceiling: managedCeiling };
  const web = await bringHost(world, api, { name: `web-${word}` }, ways);
  const author = { username: `mara-${word}`, password: userPassword };
  const approver = { username: `ruth-${word}`, password: userPassword };
  await api.newUser(author.username, "operator");
  await api.newUser(approver.username, "approver");
  const title = `Write /etc/nginx/nginx.conf on web-${word}`;

  await enter(window, author);
  await page.goto(`/nodes/${web.id}`);
  await hand.press(page.getByRole("button", { name: "Write a file…" }));
  const write = page.getByRole("dialog", { name: `Write a file on web-${word}` });
  const make = write.getByRole("button", { name: "Make the plan" });
  await hand.press(make);
  await write.getByText("Name the whole path, from / on.").waitFor();
  await hand.write(write.getByLabel("Path"), "/etc/nginx/nginx.conf");
  await hand.write(write.getByLabel("Text"), "worker_processes 4;\nevents {}\n");
  await hand.write(write.getByLabel("Why"), "Four processors since the move.");
  await judge("the dialog that plans a file");
  await hand.press(make);
  await page.waitForURL("**/plans/plan_*");
  await page.getByRole("heading", { level: 1, name: title }).waitFor();
  await page.getByRole("status").filter({ hasText: "In review" }).waitFor();
  const change = page.getByRole("list", { name: `Before and after, file.write on web-${word}` });
  await change.getByRole("listitem").filter({ hasText: "Added: worker_processes 4;" }).waitFor();
  await change.getByRole("listitem").filter({ hasText: "Removed: " }).first().waitFor();
  await page.getByText("You may not approve it: that needs plan:approve.").waitFor();
  await page.getByText("You may not reject it: that needs plan:approve.").waitFor();
  await judge("a plan, as its author sees it");

  await hand.goTo("Plans");
  const plans = page.getByRole("table", { name: "Plans" });
  await plans.getByRole("row").filter({ hasText: title }).filter({ hasText: "In review" }).waitFor();
  await judge("the list of plans");

  await enter(window, approver);
  await page.goto("/plans?state=in_review");
  await hand.openRow(plans, title);
  await page.getByText("You may reject it: you hold plan:approve.").waitFor();
  await page.getByText("This page cannot sign").waitFor();
  await page.getByText(/^gatehouse plan approve plan_\S+ --key /).waitFor();
  // No host of it takes this server's word.
  if ((await page.getByRole("button", { name: /^(Approve|Apply)/ }).count()) > 0) {
    throw new Error("a button offers what no host would take");
  }
  await hand.press(page.getByRole("button", { name: "Reject…" }));
  const reject = page.getByRole("dialog", { name: "Reject the plan" });
  const confirm = reject.getByRole("button", { name: "Reject the plan" });
  await hand.press(confirm);
  await reject.getByText("Say why: somebody will read it.").waitFor();
  await hand.write(reject.getByLabel("Reason"), `Not before the backup of ${word}.`);
  await judge("the dialog that rejects a plan");
  await hand.press(confirm);
  await reject.waitFor({ state: "hidden" });
  await page.getByRole("status").filter({ hasText: "Rejected" }).waitFor();
  await page.getByText(`Not before the backup of ${word}.`).first().waitFor();
  await page.getByRole("button", { name: "Reject…" }).waitFor({ state: "detached" });
  await judge("a rejected plan");
  await page.goto("/plans?state=rejected");
  await plans.getByRole("row").filter({ hasText: title }).filter({ hasText: "Rejected" }).waitFor();

  web.close();
}

/** The author keeps a plan back, offers it, and takes it back; of a host that is away the page says what to do. */
export async function planWithdrawn({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const ways = { tell: pretendState, ceiling: managedCeiling };
  const mail = await bringHost(world, api, { name: `mail-${word}` }, ways);
  await enter(window, admin);
  await page.goto(`/nodes/${mail.id}`);
  // Its facts come a moment after it: with them the one service that its root allows.
  await page.getByText("nginx.service").first().waitFor();
  await ask();
  await hand.choose(dialog().getByLabel("Keep it back for now"));
  await judge("the dialog that plans a restart");
  await hand.press(dialog().getByRole("button", { name: "Make the plan" }));
  await page.waitForURL("**/plans/plan_*");
  await page.getByRole("status").filter({ hasText: "Linted" }).waitFor();
  await judge("a plan that nobody was asked about");
  await hand.press(page.getByRole("button", { name: "Offer for review…" }));
  const offer = page.getByRole("dialog", { name: "Offer for review" });
  await hand.press(offer.getByRole("button", { name: "Offer the plan for review" }));
  await page.getByRole("status").filter({ hasText: "In review" }).waitFor();
  await hand.press(page.getByRole("button", { name: "Withdraw…" }));
  const withdraw = page.getByRole("dialog", { name: "Withdraw the plan" });
  await hand.press(withdraw.getByRole("button", { name: "Withdraw the plan" }));
  await page.getByRole("status").filter({ hasText: "Withdrawn" }).waitFor();
  await page.getByText("Nothing was changed on any host.").waitFor();
  await judge("a plan that was taken back");

  mail.close();
  window.expectComplaint(/status of 409.*\/api\/plans/);
  await page.goto(`/nodes/${mail.id}`);
  await page.getByText("The host has to be connected").waitFor();
  await ask();
  await hand.press(dialog().getByRole("button", { name: "Make the plan" }));
  await dialog().getByText("plan.node_offline").waitFor();
  await judge("a plan for a host that is away");

  async function ask(): Promise<void> {
    await hand.press(page.getByRole("button", { name: "Restart a service…" }));
    await hand.write(dialog().getByLabel("Service"), "nginx.service");
    await hand.write(dialog().getByLabel("Why"), "The certificate was renewed.");
  }

  function dialog() {
    return page.getByRole("dialog", { name: `Restart a service on mail-${word}` });
  }
}

/** An owner stops all plans with a reason that everybody reads on every page, and lifts the stop there. */
export async function stopAllPlans({ page, hand, window, judge }: Stage): Promise<void> {
  await enter(window, admin);
  await page.goto("/plans");
  await hand.press(page.getByRole("button", { name: "Stop all plans…" }));
  const stop = page.getByRole("dialog", { name: "Stop all plans" });
  await hand.write(stop.getByLabel("Reason"), "Somebody is in the network.");
  await judge("the dialog that stops all plans");
  await hand.press(stop.getByRole("button", { name: "Stop all plans" }));
  await stop.waitFor({ state: "hidden" });
  const line = page.getByRole("status").filter({ hasText: "All plans stopped by you" });
  await line.getByText("Somebody is in the network.").waitFor();
  await page.getByRole("button", { name: "Stop all plans…" }).waitFor({ state: "detached" });
  await hand.goTo("Nodes");
  await page.getByRole("heading", { level: 1, name: "Nodes" }).waitFor();
  await line.getByText("Somebody is in the network.").waitFor();
  await judge("nodes, while plans are stopped");
  await hand.press(page.getByRole("button", { name: "Lift…" }));
  const lift = page.getByRole("dialog", { name: "Lift the stop" });
  await hand.press(lift.getByRole("button", { name: "Lift the stop of all plans" }));
  await line.waitFor({ state: "detached" });
  await hand.goTo("Plans");
  await page.getByRole("button", { name: "Stop all plans…" }).waitFor();
}

import { trustsServer } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { bringRelease } from "../bring-artifact.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { serverCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";

const ceiling = { ...serverCeiling, allow: ["agent.update", ...serverCeiling.allow] };

/** An operator finds hosts whose agent is behind a release, plans its update for those of a tag, and an approver gives a word for it. */
export async function planUpdate({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const tag = `edge-${word}`;
  const named = (name: string) => ({ name: `${name}-${word}`, tags: [tag] });
  const hosts = [
    await bringHost(world, api, named("near"), { tell: trustsServer, ceiling }),
    await bringHost(world, api, named("closed"), { tell: trustsServer, ceiling: serverCeiling }),
    await bringHost(world, api, named("arm"), { tell: trustsServer, ceiling, arch: "arm64" }),
  ];
  const author = { username: `nils-${word}`, password: userPassword };
  const approver = { username: `ruth-${word}`, password: userPassword };
  await api.newUser(author.username, "operator");
  await api.newUser(approver.username, "approver");

  await enter(window, author);
  await page.goto(`/nodes?tag=${tag}`);
  const agents = page.getByRole("table", { name: "Agents by version" });
  const row = (architecture: string) =>
    agents.getByRole("row").filter({ hasText: `0.2.1-alpha.1 for ${architecture}` });
  await row("x64").filter({ hasText: "2 nodes" }).waitFor();
  await row("arm64").filter({ hasText: "1 node" }).waitFor();
  const version = `9.9.9-${word}`;
  const release = await bringRelease(api, { version });
  const foreign = await bringRelease(api, { version, architecture: "arm64" });
  await row("x64").filter({ hasText: version }).waitFor();
  await judge("the agents of hosts with a tag");
  await hand.press(row("arm64").getByRole("link", { name: "1 node" }));
  await page.waitForURL("**architecture=arm64*");
  const nodes = page.getByRole("table", { name: "Nodes" });
  await nodes
    .getByRole("row")
    .filter({ hasText: `arm-${word}` })
    .waitFor();
  await nodes
    .getByRole("row")
    .filter({ hasText: `near-${word}` })
    .waitFor({ state: "detached" });

  await hand.press(page.getByRole("link", { name: "Update these… with 0.2.1-alpha.1 for x64" }));
  await page.waitForURL("**/plans/new?*");
  await page.getByRole("button", { name: `Take back agent 0.2.1-alpha.1 for x64, tag ${tag}` }).waitFor();
  const update = page.getByRole("group", { name: "1. Update the agent" });
  const to = update.getByLabel("To", { exact: true });
  await page.getByText(`Updates the agent to ${version} for x64: `, { exact: false }).waitFor();
  if ((await to.inputValue()) !== release.sha256) throw new Error("the newest release for these hosts is not proposed");
  await hand.select(to, foreign.sha256);
  await update.getByText(/is for arm64, and no other host takes it/).waitFor();
  await hand.select(to, release.sha256);
  await update.getByText(/is for arm64/).waitFor({ state: "detached" });
  await update.getByText(`The ceiling of closed-${word} does not name it.`).waitFor();
  await judge("an update, before the hosts are read");
  await hand.press(update.getByRole("button", { name: "Leave it out" }));

  await hand.press(page.getByRole("button", { name: "Restart a service", exact: true }));
  const read = page.getByRole("button", { name: /^Read (the hosts|again)$/ });
  await hand.press(read);
  const both = page.getByRole("group", { name: "2. Update the agent" });
  await both.getByText("Hosts update their agent alone", { exact: false }).waitFor();
  await judge("an update that is not alone");
  await hand.press(page.getByRole("button", { name: "Remove operation 1" }));
  await hand.write(page.getByLabel("Why"), "The release of this week.");
  await hand.press(read);
  const change = page.getByRole("list", { name: `Before and after, agent.update on near-${word}` });
  const line = (text: string) => change.getByRole("listitem").filter({ hasText: text });
  await line("Removed: agent 0.2.1-alpha.1 for x64").waitFor();
  await line(`Added: agent ${version} for x64`).waitFor();
  await judge("an update, with the difference");
  await hand.press(page.getByRole("button", { name: "Submit for review" }));
  await page.waitForURL("**/plans/plan_*");
  const heading = `Update the agent to ${version} on near-${word}`;
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  const plan = page.url();

  await enter(window, approver);
  await page.goto("/approvals");
  await page.getByText("Agent update on 1 host").first().waitFor();
  await page.goto(plan);
  await hand.press(page.getByRole("button", { name: "Approve for hosts that trust this server…" }));
  const approve = page.getByRole("dialog", { name: "Approve for hosts that trust this server" });
  await hand.press(approve.getByRole("button", { name: "Approve the plan for these hosts" }));
  await approve.waitFor({ state: "hidden" });
  await page.getByRole("status").filter({ hasText: "Approved" }).waitFor();
  await judge("an approved update");
  for (const { close } of hosts) close();
}

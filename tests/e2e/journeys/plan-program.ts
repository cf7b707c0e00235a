import { pretendState } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { announceLarge, bringProgram } from "../bring-artifact.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { managedCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

const path = "/usr/local/bin/caddy";
const ceiling = { ...managedCeiling, allow: [...managedCeiling.allow, "binary.replace:/usr/local/bin=acme"] };

/** An operator replaces a program on hosts of a tag, and finds its artifact kept; an approver reads what the plan is about. */
export async function planProgram({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const tag = `edge-${word}`;
  const near = await bringHost(world, api, { name: `near-${word}`, tags: [tag] }, { tell: pretendState, ceiling });
  const without = { tell: pretendState, ceiling: managedCeiling };
  const other = await bringHost(world, api, { name: `other-${word}`, tags: [tag] }, without);
  const name = `caddy-${word}`;
  const wanted = await bringProgram(api, { name });
  const foreign = await bringProgram(api, { name, architecture: "arm64" });
  const arriving = await announceLarge(api, { name: `late-${word}` }, 8);
  const author = { username: `nils-${word}`, password: userPassword };
  const approver = { username: `ruth-${word}`, password: userPassword };
  await api.newUser(author.username, "operator");
  await api.newUser(approver.username, "approver");
  window.expectComplaint(/status of 409.*\/api\/artifacts/);

  await enter(window, author);
  await page.goto(`/plans/new?tag=${tag}`);
  await hand.press(page.getByRole("button", { name: "Replace a program", exact: true }));
  const replace = page.getByRole("group", { name: "1. Replace a program" });
  const restart = page.getByRole("group", { name: "2. Restart a service" });
  const read = page.getByRole("button", { name: /^Read (the hosts|again)$/ });
  await hand.press(read);
  await replace.getByText("Choose the program that is to be there.").waitFor();
  await judge("a program that is not chosen");
  await replace.getByText("The ceiling names /usr/local/bin (only by acme).").waitFor();
  await hand.write(replace.getByLabel("Path"), path);
  const by = replace.getByLabel("By", { exact: true });
  if ((await by.locator(`option[value="${arriving.sha256}"]`).count()) > 0) {
    throw new Error("an artifact that has not arrived can be chosen");
  }
  await hand.select(by, foreign.sha256);
  await replace.getByText(/is for arm64, and no other host takes it/).waitFor();
  await hand.select(by, wanted.sha256);
  await replace.getByText(/is for arm64/).waitFor({ state: "detached" });
  await page.getByText(`Replaces the program ${path} by ${name} 2.8.4 for x64.`).waitFor();
  await replace.getByText(`The ceiling of other-${word} does not name it.`).waitFor();
  await replace.getByText(/binary\.replace:\/usr\/local\/bin\/caddy=acme$/).waitFor();
  await hand.write(restart.getByLabel("Service"), "nginx.service");
  await hand.write(page.getByLabel("Why"), "The release of this week.");
  await judge("a program, before the hosts are read");
  await hand.press(replace.getByRole("button", { name: "Leave it out" }));
  await hand.press(read);
  const change = page.getByRole("list", { name: `Before and after, binary.replace on near-${word}` });
  await change
    .getByRole("listitem")
    .filter({ hasText: `Added: ${name} 2.8.4 for x64` })
    .waitFor();
  await judge("a program, with the difference");
  await hand.press(page.getByRole("button", { name: "Submit for review" }));
  await page.waitForURL("**/plans/plan_*");
  const heading = `Replace ${path} by ${name} 2.8.4 and restart nginx.service on near-${word}`;
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  const plan = new URL(page.url()).pathname;
  await judge("a plan that replaces a program");

  await page.goto(`/artifacts?artifact=${wanted.id}`);
  await hand.press(page.getByRole("dialog").getByRole("button", { name: `Remove ${name} 2.8.4…` }));
  const confirm = page.getByRole("dialog", { name: `Remove ${name} 2.8.4` });
  await hand.press(confirm.getByRole("button", { name: `Remove ${name} 2.8.4` }));
  await confirm.getByText("artifact.in_use").waitFor();
  await judge("an artifact that a plan keeps");
  await hand.press(confirm.getByRole("link", { name: plan.slice("/plans/".length) }));
  await page.waitForURL(`**${plan}`);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();

  await enter(window, approver);
  await page.goto("/approvals");
  await page.getByText("Program and restart of a service on 1 host").first().waitFor();
  await enter(window, admin);
  await page.goto(`/nodes/${near.id}`);
  await page
    .getByRole("list", { name: "What the server may do" })
    .getByRole("listitem")
    .filter({ hasText: "Replace programs" })
    .filter({ hasText: "/usr/local/bin (only by acme)" })
    .filter({ hasText: "by a plan" })
    .waitFor();
  near.close();
  other.close();
}

import { trustsServer } from "../../support/pretend-state.ts";
import { openApi, userPassword } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { isFocused } from "../in-page.js";
import { serverCeiling } from "../host-ceilings.ts";
import type { Stage } from "../stage.ts";
import { until } from "../../support/until.ts";

/** An approver finds what waits, rejects one plan there and opens the other; its author sees why it is not theirs to decide. */
export async function approvalsInbox({ world, page, hand, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const host = await bringHost(world, api, { name: `inbox-${word}` }, { tell: trustsServer, ceiling: serverCeiling });
  const author = { username: `mara-inbox-${word}`, password: userPassword };
  const approver = { username: `ines-inbox-${word}`, password: userPassword };
  await api.newUser(author.username, "operator");
  await api.newUser(approver.username, "approver");
  const byAuthor = await openApi(world, author);
  const make = async (title: string, expiresInHours: number): Promise<string> => {
    const { status, body } = await byAuthor.call("POST", "/api/plans", {
      title,
      summary: "The certificate was renewed.",
      nodes: [host.id],
      operations: [{ kind: "service.restart", unit: "nginx.service" }],
      expiresInHours,
    });
    if (status !== 201) throw new Error(`the plan was answered ${status} ${JSON.stringify(body)}`);
    return `/plans/${String(body["id"])}`;
  };
  const later = await make(`Restart nginx.service later, ${word}`, 24);
  await make(`Restart nginx.service soon, ${word}`, 1);
  const rowsOf = (list: string) =>
    page.getByRole("list", { name: list }).getByRole("listitem").filter({ hasText: word });
  const mine = rowsOf("Yours to decide");

  await enter(window, approver);
  await page.goto("/plans");
  await hand.goTo("Approvals");
  await page.waitForURL("**/approvals");
  await mine.nth(1).waitFor();
  const order = (await mine.allInnerTexts()).map((text) => /soon|later/.exec(text)?.[0]);
  if (order.join(" ") !== "soon later") throw new Error(`what ends first does not stand first: ${order.join(" ")}`);
  await mine.first().filter({ hasText: "0 of 1" }).filter({ hasText: author.username }).waitFor();
  await judge("what waits for an approver");

  await hand.press(mine.getByRole("link", { name: `Restart nginx.service soon, ${word}` }));
  await page.waitForURL("**/approvals?plan=plan_*");
  const pane = page.getByRole("complementary", { name: "The selected plan" });
  await pane.getByText("You may approve it: you hold plan:approve.").waitFor();
  if ((await pane.getByRole("button", { name: /^Approve/ }).count()) > 0)
    throw new Error("the inbox offers to approve");
  await judge("a plan that was selected in the inbox");
  await hand.press(pane.getByRole("link", { name: "Reject…" }));
  const reject = page.getByRole("form", { name: /^Reject / });
  const confirm = reject.getByRole("button", { name: "Reject this plan" });
  await hand.press(confirm);
  await reject.getByText("Say why: somebody will read it.").waitFor();
  await hand.write(reject.getByLabel("Reason"), `Not before the backup of ${word}.`);
  await judge("the form that rejects a plan in the inbox");
  await hand.press(confirm);
  await reject.waitFor({ state: "detached" });
  const status = page.locator("p[role=status]");
  await until("the focus is on how many wait", () => status.evaluate(isFocused));
  const decided = rowsOf("Decided");
  await decided
    .filter({ hasText: "soon" })
    .filter({ hasText: `You rejected it: Not before the backup of ${word}.` })
    .waitFor();

  await hand.press(mine.getByRole("link", { name: `Restart nginx.service later, ${word}` }));
  await hand.press(pane.getByRole("link", { name: "Review for 1 host" }));
  await page.waitForURL(`**${later}`);

  await enter(window, author);
  await page.goto("/approvals");
  const others = rowsOf("Not yours");
  await others.filter({ hasText: "You may not approve it: that needs plan:approve." }).waitFor();
  await judge("the inbox of somebody who approves nothing");
  const byApprover = await openApi(world, approver);
  const { etag } = await byApprover.call("GET", `/api${later}`);
  await byApprover.call("POST", `/api${later}/approvals`, { server: true }, { "If-Match": etag });
  // Nobody loads the page anew: it hears of the approval.
  await decided
    .filter({ hasText: "later" })
    .filter({ hasText: `Approved by ${approver.username}.` })
    .waitFor();
  await others.waitFor({ state: "detached" });
  host.close();
}

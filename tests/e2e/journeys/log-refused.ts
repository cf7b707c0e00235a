import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

const missing = 500;

/** A host holds a head, then one that this log does not reach, and its root takes the log as it is: seen from the pages. */
export async function logRefused({ world, page, window, hand, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const name = "lhr2-cache-11";
  const host = await bringHost(world, api, { name }, { heads: true });
  const head = await host.shownHead();
  host.hold(head);
  await until("the server has heard what the host holds", async () => {
    const { body } = await api.call("GET", "/api/audit/witnesses");
    return (body["items"] as { position: number | null }[])[0]?.position === head.position;
  });

  await enter(window, admin);
  await page.goto("/audit");
  await page.getByRole("status").filter({ hasText: "Whole, and the same log that 1 host has seen." }).waitFor();
  await page.getByLabel("The chain", { exact: true }).getByText("1 of 1 host", { exact: true }).waitFor();
  await page.getByRole("img", { name: new RegExp(`1 host at ${head.position}`) }).waitFor();
  await judge("the audit page with a witness");
  await hand.press(page.getByRole("link", { name: "Which hosts" }));
  const who = page.getByRole("dialog", { name: "Who else knows this log" });
  await who.getByRole("link", { name, exact: true }).waitFor();
  await judge("who else knows the log");
  await hand.press(who.getByRole("button", { name: "Close" }));
  await who.waitFor({ state: "hidden" });

  await hand.goTo("Nodes");
  const band = page.getByRole("alert").filter({ hasText: "audit log is not the one its hosts have seen" });
  host.hold({ ...head, n: head.n + 9, position: head.position + missing, link: "f5".repeat(32) }, "witness.regressed");
  await band.waitFor();
  await judge("a page under the red band");
  await hand.press(page.getByRole("link", { name: "What to do" }));
  await page.waitForURL("**/audit");
  await page
    .getByRole("status")
    .filter({ hasText: new RegExp(`Shorter than what ${name} saw, by \\d+ entries\\..*${name} knew first`) })
    .waitFor();
  await page.getByRole("img", { name: new RegExp(`What ${name} saw, to #${head.position + missing}`) }).waitFor();
  await page.getByText("f5f5").first().waitFor();
  await page.getByRole("heading", { name: "What to do, in this order" }).waitFor();
  await page.getByText("sudo gatehouse-agent witness accept").waitFor();
  await judge("the audit page when a host knows better");
  await hand.press(page.getByRole("button", { name: "Verify now" }));
  await page.getByRole("status").filter({ hasText: "Checking every link" }).waitFor({ state: "hidden" });
  if ((await page.getByText("Whole to #").count()) > 0) throw new Error("a log that a host refuses is called whole");

  await hand.goTo("Overview");
  await page.getByRole("heading", { level: 1, name: /^1 host saw another audit log/ }).waitFor();
  await band.waitFor({ state: "hidden" });
  await page.goto(`/nodes/${host.id}`);
  await page.getByText("Not the log that this host saw").waitFor();
  await judge("the page of a host that knows better");

  host.hold(head);
  await band.waitFor({ state: "hidden" });
  await page.getByText(`Holds #${head.position}`).waitFor();
  await hand.goTo("Audit");
  await page.getByRole("status").filter({ hasText: "the same log that 1 host has seen." }).waitFor();
  host.close();
}

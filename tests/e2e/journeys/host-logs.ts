import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { isFocused } from "../in-page.js";
import { inventLog } from "../invent-log.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Before any host has sent a line. */
export async function noLogsYet({ page, window, judge }: Stage): Promise<void> {
  await enter(window, admin);
  await page.goto("/logs");
  await page.getByText("No host sends logs").waitFor();
  await page.getByText("gatehouse-agent ceiling set … --logs nginx.service").waitFor();
  await judge("logs of no host");
}

/** Finds the errors of a host, chooses their minute and one of them, reads what was dropped, and follows what comes. */
export async function searchLogs(stage: Stage): Promise<void> {
  const { world, page, hand, form, window, word, judge } = stage;
  const api = await openApi(world);
  const name = `log-${word}`;
  const host = await bringHost(world, api, { name }, { logs: true });
  const now = Date.now();
  await host.log(inventLog({ seed: 3, now, count: 150, minutes: 50, failed: 20 }));

  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Logs");
  await page.getByRole("heading", { level: 1, name: "Logs" }).waitFor();
  const table = page.getByRole("table", { name: "Lines, the newest first" });
  await table.waitFor();
  await inFilters(stage, async () => {
    await hand.write(page.getByLabel("Add a node or a tag"), name);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.searchParams.get("nodes") === host.id);
    await until("it is chosen", () => page.getByRole("checkbox", { name: new RegExp(`^${name} `) }).isChecked());
    await hand.choose(page.getByRole("radio", { name: /^error/ }));
    await page.waitForURL((url) => url.searchParams.get("level") === "error");
    await judge("the filters of logs");
    await hand.write(page.getByRole("searchbox", { name: "Words of a line" }), '"timed out" mark:upstream');
    await page.waitForURL((url) => url.searchParams.has("q"));
  });
  const upstream = table.locator("mark").filter({ hasText: /^upstream$/ });
  await upstream.first().waitFor();
  await until("only errors are left", async () => (await table.getByText("GET /").count()) === 0);
  await judge("the errors of one host");

  await chooseFullBar(stage);
  await upstream.first().waitFor();
  await judge("a chosen minute");
  await hand.openRow(table, "timed out");
  const line =
    form.size === "phone" ? page.getByRole("dialog") : page.getByRole("complementary", { name: "Chosen line" });
  await line.getByRole("heading", { name: /UTC$/ }).waitFor();
  await line.getByRole("region", { name: "In the audit log, this minute" }).waitFor();
  await line.getByRole("link", { name: name }).waitFor();
  await judge("a chosen line");
  await page.reload();
  await line.getByText("nginx.service").waitFor();
  await hand.press(line.getByRole("link", { name: "Metrics around that minute" }));
  await page.waitForURL((url) => url.pathname === "/metrics" && url.searchParams.get("nodes") === host.id);

  await page.goto(`/nodes/${host.id}`);
  await hand.press(page.getByRole("link", { name: "Logs of this host" }));
  await page.waitForURL(`**/logs?nodes=${host.id}`);
  const [from, to] = [21, 17].map((ago) => new Date(now - ago * 60_000).toISOString());
  await page.goto(`/logs?nodes=${host.id}&from=${from}&to=${to}`);
  await table.getByText(`4,120 lines dropped on ${name}`).waitFor();
  await page.getByText("They stay in its own journal.").waitFor();
  await judge("dropped lines");

  await page.goto(`/logs?nodes=${host.id}&q=nothing-has-these-words`);
  await page.getByText("No line matches").waitFor();
  await hand.press(page.getByRole("button", { name: "Clear the filter" }));
  await table.waitFor();
  await page.goto(`/logs?nodes=${host.id}`);
  await table.waitFor();
  await follow(stage, (texts) => {
    const lines = texts.map((text) => ({ s: 0, at: Date.now(), level: 6, text }));
    return host.log({ sources: ["nginx.service"], lines });
  });
  host.close();
}

/** Where there is little room they are behind a button. */
async function inFilters({ page, hand, form }: Stage, work: () => Promise<void>): Promise<void> {
  if (form.size !== "phone") return work();
  await hand.press(page.getByRole("button", { name: /^Search and filter/ }));
  await work();
  await hand.press(page.getByRole("button", { name: "Show the lines" }));
}

/** By keys from the oldest bar on to one that has lines. */
async function chooseFullBar({ page, hand }: Stage): Promise<void> {
  const bars = page.getByRole("slider", { name: "Time, by bars" });
  const said = async () => (await bars.getAttribute("aria-valuetext")) ?? "";
  await hand.press(bars);
  await page.waitForURL((url) => url.searchParams.has("from"));
  await until("the bars have the focus", () => bars.evaluate(isFocused));
  await page.keyboard.press("Escape");
  await page.waitForURL((url) => !url.searchParams.has("from"));
  await page.keyboard.press("Home");
  for (let keys = 0; !(await said()).includes("error"); keys += 1) {
    if (keys > 70) throw new Error("no minute of the hour has an error");
    const before = await said();
    await page.keyboard.press("ArrowRight");
    await until("the next bar is said", async () => (await said()) !== before);
  }
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.has("from") && url.searchParams.has("to"));
}

async function follow({ page, hand, judge }: Stage, write: (texts: readonly string[]) => Promise<void>): Promise<void> {
  await hand.press(page.getByRole("button", { name: "Follow live" }));
  await page.waitForURL((url) => url.searchParams.get("follow") === "true");
  const table = page.getByRole("table", { name: "Lines, the newest first" });
  await table.waitFor();
  await write(["the first that came"]);
  await table.getByText("the first that came").waitFor();
  await page.mouse.move(200, 500);
  await page.mouse.wheel(0, 600);
  await page.getByText("because you scrolled").waitFor();
  await write(["one more", "and another"]);
  await page.getByText("2 new lines").waitFor();
  if ((await table.getByText("one more").count()) > 0) throw new Error("the page moved under whoever reads it");
  await judge("lines that wait");
  await hand.press(page.getByRole("button", { name: "Show them" }));
  await table.getByText("and another").waitFor();
  await hand.press(page.getByRole("button", { name: "Pause" }));
  await page.getByRole("button", { name: "Follow", exact: true }).waitFor();
  await judge("a pause");
}

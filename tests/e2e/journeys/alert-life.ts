import { metricLimits } from "@gatehouse/contract";
import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { isFocused } from "../in-page.js";
import { inventMinutes } from "../invent-minutes.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

const { minuteMs } = metricLimits;

/** A disk fills up: its host stands with the cause, somebody puts a name to it, silences it, looks at the rule, and it ends. */
export async function alertLife(stage: Stage): Promise<void> {
  const { world, page, hand, window, word, judge } = stage;
  const api = await openApi(world);
  const name = `full-${word}`;
  const host = await bringHost(world, api, { name, tags: ["storage"] }, { logs: true });
  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Alerts");
  await page.getByText("Nothing crosses a line.").waitFor();
  await judge("alerts, when none is open");

  // Minutes of a while ago, so that newer ones can follow at once.
  host.measure(inventMinutes({ seed: 5, now: Date.now() - 3 * minuteMs, count: 5, disk: 94 }));
  const table = page.getByRole("table", { name: "Open alerts" });
  const row = table.getByRole("row").filter({ hasText: name });
  await row.filter({ hasText: "Disk 94 %" }).filter({ hasText: "over 90 % for 5 min" }).waitFor();
  await judge("open alerts");

  await hand.goTo("Nodes");
  const nodes = page.getByRole("table", { name: "Nodes" });
  await nodes.getByRole("row").filter({ hasText: name }).filter({ hasText: "Disk 94 %" }).waitFor();
  await judge("a node that needs a look");
  await hand.openRow(nodes, name);
  const own = page.getByRole("list", { name: "Open alerts of this node" });
  await hand.press(own.getByRole("button", { name: "Acknowledge… Disk 94 %" }));
  const dialog = page.getByRole("dialog", { name: `Acknowledge Disk 94 % on ${name}` });
  await hand.write(dialog.getByLabel(/^Note/), "the disk is on its way");
  await judge("the dialog that acknowledges");
  await hand.press(dialog.getByRole("button", { name: "Acknowledge it" }));
  await dialog.waitFor({ state: "hidden" });
  await own.getByText(/^Acknowledged by you at .* “the disk is on its way”$/).waitFor();
  await judge("a node with an acknowledged alert");

  // The palette finds it by the host's name.
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await until("the palette takes what is typed", () => palette.getByRole("combobox").evaluate(isFocused));
  await page.keyboard.type(`${name}: disk`);
  await palette.getByRole("option", { name: `${name}: Disk 94 %` }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/alerts" && url.searchParams.get("node") === host.id);

  await hand.press(row.getByRole("button", { name: /^Silence…/ }));
  const sheet = page.getByRole("dialog", { name: `Silence alerts of ${name}` });
  await hand.select(sheet.getByLabel("For", { exact: true }), "8h");
  await hand.press(sheet.getByRole("button", { name: "Silence", exact: true }));
  await sheet.getByText("Say why: somebody will read it.").waitFor();
  await hand.write(sheet.getByLabel("Reason", { exact: true }), "moving its data");
  await judge("the sheet that silences");
  await hand.press(sheet.getByRole("button", { name: "Silence", exact: true }));
  await sheet.waitFor({ state: "hidden" });
  await row.filter({ hasText: /Silenced until / }).waitFor();

  const views = page.getByRole("navigation", { name: "Views" });
  await hand.press(views.getByRole("link", { name: /^Silences/ }));
  const silences = page.getByRole("table", { name: "Silences" });
  await silences.getByText(`Disk on ${name}`, { exact: true }).waitFor();
  await judge("silences");
  await hand.press(silences.getByRole("button", { name: /^End…/ }));
  const end = page.getByRole("dialog", { name: "End the silence" });
  await hand.press(end.getByRole("button", { name: "End the silence" }));
  await page.getByText("Nothing is silenced.").waitFor();

  await hand.press(views.getByRole("link", { name: /^Rules/ }));
  await ruleLife(stage);

  await hand.press(views.getByRole("link", { name: /^Open/ }));
  await row.waitFor();
  host.measure(inventMinutes({ seed: 5, now: Date.now(), count: 2 }));
  await page.getByText("Nothing crosses a line.").waitFor();
  host.close();
}

/** Adds a rule, changes it, switches it off, removes it; one that is built in cannot be removed. */
async function ruleLife({ page, hand, word, judge }: Stage): Promise<void> {
  const name = `Busy-${word}`;
  const rules = page.getByRole("table", { name: "Alert rules" });
  await rules.getByText("Disk over 90 % for 5 min, well again under 85 % for 2 min").waitFor();
  await judge("the rules");
  await hand.openRow(rules, "Memory over 95 %");
  const builtIn = page.getByRole("dialog", { name: "Memory", exact: true });
  await builtIn.getByText(/^Built in: it is always there/).waitFor();
  await judge("a rule");
  if (await builtIn.getByRole("button", { name: /^Remove/ }).isVisible())
    throw new Error("a built-in rule can be removed");
  await page.keyboard.press("Escape");
  await builtIn.waitFor({ state: "hidden" });

  await hand.press(page.getByRole("button", { name: "Add a rule…" }));
  const adding = page.getByRole("dialog", { name: "Add a rule" });
  await hand.write(adding.getByLabel("Name", { exact: true }), name);
  await hand.select(adding.getByLabel("Value", { exact: true }), "cpu");
  await hand.write(adding.getByLabel("Opens at, %", { exact: true }), "101");
  await hand.press(adding.getByRole("button", { name: "Add the rule" }));
  await adding.getByText("A number from 0 to 100 %.").waitFor();
  await judge("a rule that is wrong");
  await hand.write(adding.getByLabel("Opens at, %", { exact: true }), "97");
  await hand.select(adding.getByLabel("Hosts", { exact: true }), "tags");
  await hand.write(adding.getByLabel("Tags", { exact: true }), "storage");
  await adding
    .getByText("CPU over 97 % for 5 min, well again under 75 % for 2 min; hosts with the tag storage.")
    .waitFor();
  await hand.press(adding.getByRole("button", { name: "Add the rule" }));
  await adding.waitFor({ state: "hidden" });
  const row = rules.getByRole("row").filter({ hasText: name });
  await row.waitFor();

  await hand.openRow(rules, name);
  const sheet = page.getByRole("dialog", { name, exact: true });
  await hand.write(sheet.getByLabel("Opens at, %", { exact: true }), "98");
  await hand.press(sheet.getByRole("button", { name: `Change ${name}` }));
  await sheet.waitFor({ state: "hidden" });
  await row.filter({ hasText: "over 98 %" }).waitFor();
  await hand.openRow(rules, name);
  await confirmed("Switch off", `Switch off ${name}`, "Switch off…");
  await row.filter({ hasText: "Off" }).waitFor();
  await hand.openRow(rules, name);
  await confirmed("Remove", `Remove ${name}`, `Remove ${name}…`);
  await row.waitFor({ state: "detached" });

  async function confirmed(what: string, title: string, button: string): Promise<void> {
    await hand.press(sheet.getByRole("button", { name: button, exact: true }));
    const question = page.getByRole("dialog", { name: title, exact: true });
    await judge(`the question: ${what}`);
    await hand.press(question.getByRole("button", { name: title, exact: true }));
    await question.waitFor({ state: "hidden" });
  }
}

import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import { bringHost } from "../connect-host.ts";
import { inventMinutes, untilMeasured } from "../invent-minutes.ts";
import { isFocused } from "../in-page.js";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

const megabit = 1_000_000 / 8;

/** Chooses hosts by a tag, finds when one of them fell, looks closer at it, and comes there again from the host's own page. */
export async function metricsCompare({ world, page, hand, form, window, word, judge }: Stage): Promise<void> {
  const api = await openApi(world);
  const [fallen, steady, fresh] = await Promise.all(
    ["fallen", "steady", "fresh"].map((kind) =>
      bringHost(world, api, { name: `${kind}-${word}`, tags: kind === "fresh" ? [] : [`met-${word}`] }),
    ),
  );
  if (fallen === undefined || steady === undefined || fresh === undefined) throw new Error("a host is missing");
  const now = Date.now();
  const about = { seed: 5, now, count: 170 };
  fallen.measure(inventMinutes({ ...about, rates: [8 * megabit, 240 * megabit], fell: 24 }));
  steady.measure(inventMinutes({ ...about, rates: [8 * megabit, 100 * megabit], gap: 40 }));
  for (const { id } of [fallen, steady]) await untilMeasured(api, id);

  await enter(window, admin);
  await page.goto("/");
  await hand.goTo("Metrics");
  await page.getByRole("heading", { level: 1, name: "Metrics" }).waitFor();
  await page.goto("/metrics?nodes=");
  await page.getByText("No node is chosen").waitFor();
  await judge("metrics of no node");
  await hand.write(page.getByLabel("Add a node or a tag"), `tag met-${word}`);
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.searchParams.get("nodes") === `${fallen.id},${steady.id}`);

  // The table is the chart for whoever does not see it: what it says is what is drawn.
  const rowOf = (name: string) => page.getByRole("row").filter({ hasText: `${name}-${word}` });
  await rowOf("fallen").waitFor();
  const numbers = async (name: string) =>
    (await rowOf(name).getByRole("cell").allInnerTexts()).map((text) => Number(text.replaceAll(",", "")));
  const [, least = 0, most = 0] = await numbers("fallen");
  if (!(least > 0 && least < 20 && most > 200)) throw new Error(`of the fallen host: least ${least}, most ${most}`);
  const [, leastSteady = 0] = await numbers("steady");
  if (leastSteady < 70) throw new Error(`the steady host fell to ${leastSteady}`);
  await page.getByText(`Some minutes are missing: 6 of steady-${word}.`).waitFor();
  await judge("what two nodes measured");

  // What is on a canvas has the colours of the theme in which it was drawn.
  const drawn = () => page.evaluate<string>("document.querySelector('[role=slider] canvas').toDataURL()");
  const before = await drawn();
  await page.emulateMedia({ colorScheme: form.theme === "light" ? "dark" : "light" });
  await until("it is drawn in the other theme", async () => (await drawn()) !== before);
  const other = await drawn();
  await page.emulateMedia({ colorScheme: form.theme });
  await until("it is drawn in the first theme again", async () => (await drawn()) !== other);

  await hand.press(rowOf("steady").getByRole("button"));
  await page.waitForURL((url) => url.searchParams.get("pick") === steady.id);
  await hand.press(rowOf("fallen").getByRole("button"));
  await page.waitForURL((url) => url.searchParams.get("pick") === fallen.id);

  // By keys minute by minute to where it is least, from the newest.
  const minute = page.getByRole("slider", { name: "Network out, minute" });
  await hand.press(minute);
  await until("the chart has the focus", () => minute.evaluate(isFocused));
  await page.waitForURL((url) => url.searchParams.has("at"));
  await page.keyboard.press("End");
  for (let keys = 0; (await numbers("fallen"))[0] !== least; keys += 1) {
    if (keys > 60) throw new Error("no minute of the hour has the least value");
    const last = await minute.getAttribute("aria-valuetext");
    await page.keyboard.press("ArrowLeft");
    await until("the next minute is said", async () => (await minute.getAttribute("aria-valuetext")) !== last);
  }
  const said = (await minute.getAttribute("aria-valuetext")) ?? "";
  if (!said.endsWith(`fallen-${word} ${least} Mbit/s`)) throw new Error(`the minute is read out as ${said}`);
  const cpu = page.getByRole("slider", { name: "CPU, minute" });
  if (!(await cpu.getAttribute("aria-valuetext"))?.startsWith(said.slice(0, 5))) throw new Error("CPU is elsewhere");

  if (form.hand === "mouse" && form.size === "desktop") {
    const box = await minute.boundingBox();
    if (box === null) throw new Error("the chart has no place");
    await page.mouse.move(box.x + box.width * 0.5, box.y + 80);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 90);
    await page.mouse.move(box.x + box.width * 0.8, box.y + 90);
    await page.mouse.up();
  } else await hand.press(page.getByRole("button", { name: "Closer" }));
  await page.waitForURL((url) => url.searchParams.has("from") && url.searchParams.has("to"));
  await rowOf("fallen").waitFor();
  await judge("a part of the hour");
  await page.reload();
  await rowOf("fallen").waitFor();

  await hand.press(page.getByRole("navigation", { name: "Range" }).getByRole("link", { name: "Day", exact: true }));
  await page.waitForURL((url) => url.searchParams.get("range") === "day" && !url.searchParams.has("from"));
  await hand.press(page.getByRole("navigation", { name: "Metric" }).getByRole("link", { name: "Memory" }));
  await page.waitForURL((url) => url.searchParams.get("metric") === "memory");
  await page.getByText("% used, a value per 5 min, to 100").waitFor();
  await judge("the memory of two nodes over a day");

  await page.goto(`/nodes/${fallen.id}`);
  const measured = page.getByRole("region", { name: "Measured" });
  await measured.getByText("of 8 cores").waitFor();
  await measured.getByRole("img", { name: /^Network, last hour: network in least .* nothing missing$/ }).waitFor();
  if (form.size === "phone") {
    await hand.press(measured.getByRole("button", { name: "Day" }));
    await measured.getByRole("img", { name: /^Network, last hour/ }).waitFor({ state: "detached" });
  }
  await measured.getByRole("img", { name: /^Network, last day: network in least / }).waitFor();
  await judge("what a node measured, on its own page");
  await hand.press(measured.getByRole("link", { name: "Compare with other nodes" }));
  await page.waitForURL(`**/metrics?nodes=${fallen.id}`);
  await page.goto(`/metrics?nodes=${fresh.id}`);
  await page.getByText("The first value comes within a minute.").waitFor();
  await judge("a node that has measured nothing yet");

  window.expectComplaint(new RegExp(`status of 404.*${steady.id}/metrics`));
  await page.route(`**/api/nodes/${steady.id}/metrics*`, (route) =>
    route.fulfill({ status: 404, json: { code: "node.unknown", title: "There is no such node" } }),
  );
  await page.goto(`/metrics?nodes=${fallen.id},${steady.id}`);
  await rowOf("fallen").waitFor();
  await page.getByText("1 of 2 nodes could not be read").waitFor();
  await judge("metrics of two nodes of which one could not be read");
  await page.unroute(`**/api/nodes/${steady.id}/metrics*`);
  await hand.press(page.getByRole("button", { name: "Try again" }));
  await rowOf("steady").waitFor();
  for (const { close } of [fallen, steady, fresh]) close();
}

import { until } from "../../support/until.ts";
import { openApi } from "../api.ts";
import { enter } from "../browser.ts";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Contract 3.2: lines derive from an active contribution, and go with it. */
export async function linesComeAndGo({ world, page, window, hand, judge }: Stage, plugin: string): Promise<string> {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.url().includes("/api/map/lines")) asked.push(request.url());
  });
  await enter(window, admin);
  await page.goto("/map");
  await page.locator("[data-cluster]").first().waitFor();
  const lines = page.locator("[data-line]");
  const legend = page.getByRole("region", { name: "Lines" });
  if ((await lines.count()) + (await legend.count()) + asked.length > 0)
    throw new Error("lines are there before a plugin");
  const api = await openApi(world);
  await api.move(plugin, "installed", "active");
  await legend.getByText("Lines: Lines 1.0.0").waitFor();
  await legend.getByText("1 down").waitFor();
  const drawn = await lines.count();
  if (drawn < 4) throw new Error(`${drawn} lines are drawn`);
  await page.getByText("last handshake 03:08").waitFor();
  await judge("lines of a plugin");
  await hand.press(legend.getByRole("button", { name: "Hide" }));
  await until("hidden lines are not drawn", async () => (await lines.count()) === 0);
  await hand.press(legend.getByRole("button", { name: "Show" }));
  await until("they are drawn again", async () => (await lines.count()) === drawn);
  await api.move(plugin, "disabled");
  await legend.waitFor({ state: "detached" });
  await until("no line is left", async () => (await lines.count()) === 0);
  return `${drawn} bundles of lines`;
}

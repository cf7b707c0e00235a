import type { NodeRecord } from "@gatehouse/contract/records";
import { until } from "../../support/until.ts";
import { enter } from "../browser.ts";
import { isFocused } from "../in-page.js";
import type { Stage } from "../stage.ts";
import { admin } from "../world.ts";

/** Where the map goes the list goes, by hand and by keys; both under one filter. */
export async function followTheMap(
  { page, window, hand, form, judge }: Stage,
  onMap: readonly NodeRecord[],
): Promise<string> {
  await enter(window, admin);
  await page.goto("/nodes");
  await hand.goTo("Map");
  await page.waitForURL("**/map");
  const inView = (many: number) =>
    page.getByRole("heading", { name: `${many} ${many === 1 ? "node" : "nodes"} in view` });
  await inView(onMap.length).waitFor();
  await page.locator("[data-cluster]").first().waitFor();
  await judge("the map of the fleet");

  const drawn = () =>
    page.evaluate<string>(
      "(() => { const canvas = document.querySelector('canvas'); return getComputedStyle(canvas.closest('div')).color; })()",
    );
  const before = await drawn();
  await page.emulateMedia({ colorScheme: form.theme === "light" ? "dark" : "light" });
  await until("the page is drawn in the other theme", async () => (await drawn()) !== before);
  await page.emulateMedia({ colorScheme: form.theme });

  // By the keys of the map itself, by buttons for whoever has none.
  if (form.hand === "keyboard") {
    const map = page.getByRole("region", { name: /^Map of the fleet/ });
    await hand.press(map);
    await until("the map has the focus", () => map.evaluate(isFocused));
    for (let levels = 0; levels < 3; levels += 1) {
      const last = page.url();
      await page.keyboard.press("Equal");
      await page.waitForURL((url) => url.href !== last);
    }
  } else for (let levels = 0; levels < 3; levels += 1) await hand.press(page.getByRole("button", { name: "Nearer" }));
  await page.waitForURL((url) => url.searchParams.has("view"));
  await page.getByText(`Of ${onMap.length} on the map.`).waitFor();
  await page.reload();
  await page.getByText(`Of ${onMap.length} on the map.`).waitFor();
  await hand.press(page.getByRole("link", { name: "Show all" }));
  await inView(onMap.length).waitFor();

  const edges = onMap.filter(({ tags }) => tags.includes("edge"));
  await hand.select(page.getByLabel("Tag", { exact: true }), "edge");
  await inView(edges.length).waitFor();
  await page.goto("/map?tag=edge&view=52.37,4.9,8");
  const [first] = edges.filter(({ name }) => name.startsWith("ams1"));
  if (first === undefined) throw new Error("no edge is in Amsterdam");
  const here = edges.filter(({ name }) => name.startsWith("ams1")).length;
  await inView(here).waitFor();
  await page.locator("[data-plate]").waitFor();
  await judge("hosts of one place");

  await hand.openRow(page.getByRole("table").first(), first.name);
  await page.waitForURL((url) => url.searchParams.get("node") === first.id);
  const chosen = page.getByRole("region", { name: "Chosen node" });
  await chosen.getByText("ams1 (52.37, 4.90)").waitFor();
  await judge("a node that was chosen on the map");
  await hand.press(chosen.getByRole("link", { name: `Open ${first.name}` }));
  await page.waitForURL(`**/nodes/${first.id}`);
  await page.getByText("ams1 (52.37, 4.90), set by hand").waitFor();

  await page.goto("/map");
  await hand.press(page.getByRole("button", { name: /^Nodes without a place/ }));
  await page.waitForURL((url) => url.searchParams.get("placeless") === "true");
  await page.getByRole("heading", { name: /^\d+ nodes without a place$/ }).waitFor();
  await judge("nodes without a place");
  await hand.press(page.getByRole("link", { name: /^Set a place of / }).first());
  await page.waitForURL((url) => url.searchParams.get("edit") === "place");
  const edit = page.getByRole("dialog", { name: /^Edit / });
  await hand.write(edit.getByLabel("Latitude"), "91");
  await hand.write(edit.getByLabel("Longitude"), "13.4");
  await hand.press(edit.getByRole("button", { name: /^Change / }));
  await edit.getByText("A latitude is a number from -90 to 90").waitFor();
  await judge("a place that is none");
  await hand.write(edit.getByLabel("Latitude"), "52.52");
  await hand.press(edit.getByRole("button", { name: /^Change / }));
  await page.getByText("52.52, 13.40, set by hand").waitFor();
  await hand.press(page.getByRole("link", { name: "look on the map" }));
  await page.getByRole("region", { name: "Chosen node" }).getByText("52.52, 13.40").waitFor();

  // As it was, for the next form.
  const id = new URL(page.url()).searchParams.get("node") ?? "";
  await page.goto(`/nodes/${id}?edit=place`);
  for (const label of ["Latitude", "Longitude"]) await hand.write(edit.getByLabel(label), "");
  await hand.press(edit.getByRole("button", { name: /^Change / }));
  await page.getByText("none set by hand").waitFor();
  return `${onMap.length} nodes, ${edges.length} of them edges, ${here} of these in one place`;
}

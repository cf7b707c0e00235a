import type { NodeRecord } from "@gatehouse/contract/records";
import type { Browser } from "playwright-core";
import { inventFleet, type SeededFleet } from "../support/seed-fleet.ts";
import { until } from "../support/until.ts";
import { enter } from "./browser.ts";
import type { Checks } from "./checks.ts";
import { inventLines } from "./invent-lines.ts";
import { followTheMap } from "./journeys/map-follow.ts";
import { linesComeAndGo } from "./journeys/map-lines.ts";
import { seedWorldFleet } from "./seed-log.ts";
import type { Settings } from "./settings.ts";
import { allForms, type Form, formWords, playOn, shortForms, type Stage } from "./stage.ts";
import { admin, politeArtifact, World } from "./world.ts";

const desktop: Form = { hand: "keyboard", size: "desktop", theme: "light" };
const phone: Form = { hand: "mouse", size: "phone", theme: "dark" };
const now = Date.UTC(2026, 10, 16);
const smallFleet: SeededFleet = { nodes: 200, seed: 6, now };
const largeFleet: SeededFleet = { nodes: 10_000, seed: 6, now };

const names = {
  follow: "a list follows the map, is filtered, and leads to nodes and to who has no place",
  lines: "lines of the map come with an active plugin and go when it is disabled",
  bare: "without WebGL the map is a list that is the page, and says why",
  large: "ten thousand nodes are discs on a map and one list, and every count is right",
} as const;

const linesPlugin = "acme-lines";

/** The fleet's map over a real server, under its policy: two hundred seeded nodes, then ten thousand. */
export async function judgeMap(checks: Checks, browser: Browser, { short }: Settings): Promise<void> {
  if (checks.wants(names.follow, names.lines, names.bare)) {
    await using world = new World();
    const contributions = { nav: [], enhancements: [{ component: "wireguard.lines", surface: "fleet.map" }] as never };
    const artifact = politeArtifact("Says its lines.", "ok", inventLines(inventFleet(smallFleet)));
    world.bundle({ id: linesPlugin, name: "Lines", contributions }, artifact);
    await seedWorldFleet(world.dataDir, smallFleet);
    await world.start();
    const onMap = placed(smallFleet);
    for (const form of short ? shortForms(0) : allForms) {
      await checks.run(`${names.follow} by ${formWords(form)}`, () =>
        playOn(browser, world, form, "", (stage) => followTheMap(stage, onMap)),
      );
    }
    await checks.run(names.lines, () =>
      playOn(browser, world, desktop, "", (stage) => linesComeAndGo(stage, linesPlugin)),
    );
    await checks.run(names.bare, () => playOn(browser, world, phone, "", (stage) => withoutWebGl(stage, onMap)));
  }
  if (!checks.wants(names.large)) return;
  await using world = new World();
  await seedWorldFleet(world.dataDir, largeFleet);
  await world.start();
  for (const form of [desktop, phone]) {
    await checks.run(`${names.large} (${form.size})`, () =>
      playOn(browser, world, form, "", (stage) => manyOnOneMap(stage, placed(largeFleet))),
    );
  }
}

function placed(fleet: SeededFleet): readonly NodeRecord[] {
  return inventFleet(fleet).filter(({ place, revokedAt }) => place !== undefined && revokedAt === undefined);
}

async function withoutWebGl({ page, window, judge }: Stage, onMap: readonly NodeRecord[]): Promise<void> {
  await page.addInitScript(
    "const get = HTMLCanvasElement.prototype.getContext; HTMLCanvasElement.prototype.getContext = function (kind, ...rest) { return kind === 'webgl2' ? null : get.call(this, kind, ...rest); };",
  );
  await enter(window, admin);
  await page.goto("/map");
  await page.getByRole("heading", { name: `${onMap.length} nodes in view` }).waitFor();
  await page.getByText("This browser draws no map").waitFor();
  await judge("the list without a map");
}

/** Few enough for any machine; a node of the page for each host would be ten thousand. */
const mostElements = 3_000;

async function manyOnOneMap({ page, window, hand, judge }: Stage, onMap: readonly NodeRecord[]): Promise<string> {
  await enter(window, admin);
  const started = performance.now();
  await page.goto("/map");
  await page.getByRole("heading", { name: `${count(onMap.length)} nodes in view` }).waitFor();
  const discs = page.locator("[data-cluster]");
  await discs.first().waitFor();
  const soon = performance.now() - started;
  const sum = async () =>
    (
      await discs.evaluateAll((all) =>
        all.map((one) => Number((one as unknown as { dataset: { cluster: string } }).dataset.cluster)),
      )
    ).reduce((a, b) => a + b, 0);
  await until("the discs count every host that has a place", async () => (await sum()) === onMap.length);
  const drawn = await discs.count();
  const elements = await page.evaluate<number>("document.querySelectorAll('*').length");
  if (elements > mostElements) throw new Error(`${elements} elements are on the page`);
  await judge("ten thousand nodes on a map");
  const begun = performance.now();
  for (let nearer = 0; nearer < 3; nearer += 1) await hand.press(page.getByRole("button", { name: "Nearer" }));
  await page.getByText(`Of ${count(onMap.length)} on the map.`).waitFor();
  const moved = performance.now() - begun;
  await hand.press(page.getByRole("button", { name: "Show all" }).first());
  await page.getByRole("heading", { name: `${count(onMap.length)} nodes in view` }).waitFor();
  return `${drawn} discs, ${elements} elements; drawn after ${Math.round(soon)} ms, three levels nearer in ${Math.round(moved)} ms`;
}

function count(many: number): string {
  return many.toLocaleString("en-GB");
}

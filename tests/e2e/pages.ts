import type { NodeRecord } from "@gatehouse/contract/records";
import type { Browser } from "playwright-core";
import { openApi, userPassword } from "./api.ts";
import { judgeBack } from "./back.ts";
import { enter, widths } from "./browser.ts";
import { seedArtifacts } from "./bring-artifact.ts";
import type { Checks } from "./checks.ts";
import { afterFrames, crampedThings, isAtRest, isFocused } from "./in-page.js";
import { pageAddresses } from "./page-addresses.ts";
import type { Settings } from "./settings.ts";
import { type Form, playOn, type Stage } from "./stage.ts";
import { inventFleet, type SeededFleet } from "../support/seed-fleet.ts";
import { until } from "../support/until.ts";
import { seedWorldFleet } from "./seed-log.ts";
import { type SeededPlans, seedPlans } from "./seed-plans.ts";
import { admin, World } from "./world.ts";

const limited = { name: "edge of Frankfurt", nodes: ["a", "b"].map((end) => `node_${end.repeat(26)}`) };
const viewer = { username: "wren", password: userPassword } as const;

/** Every page with something on it, the dialogs that open over any page, and what somebody with few scopes meets. */
export async function judgePages(checks: Checks, browser: Browser, { short }: Settings): Promise<void> {
  const { world: seeded, plans } = await seededWorld();
  await using world = seeded;
  const visited = [...fixedAddresses, ...planAddresses(plans)];
  const looks = [
    { size: "desktop", theme: "light" },
    { size: "phone", theme: "dark" },
    { size: "desktop", theme: "dark" },
    { size: "phone", theme: "light" },
  ] as const;
  for (const look of short ? looks.slice(0, 2) : looks) {
    const form: Form = { ...look, hand: "mouse" };
    const words = `${look.size}, ${look.theme}`;
    for (const { name, path } of visited) {
      await checks.run(`${name} has no fault (${words})`, () => playOn(browser, world, form, "", visit(path, admin)));
    }
    await checks.run(`/audit names the missing scope to a viewer (${words})`, () =>
      playOn(browser, world, form, "", async (stage) => {
        await visit("/audit", viewer)(stage);
        await stage.page.getByText("audit:read").first().waitFor();
      }),
    );
    await checks.run(`/tokens says to how many nodes a token is limited, and its sheet to which (${words})`, () =>
      playOn(browser, world, form, "", limitedToken),
    );
    await checks.run(`/login has no fault (${words})`, () => playOn(browser, world, form, "", signInPage));
    await checks.run(`palette and key help have no fault (${words})`, () => playOn(browser, world, form, "", floating));
  }
  await checks.run(`every page has room for its words and buttons ${widths.join(", ")} px wide`, () =>
    playOn(browser, world, { hand: "mouse", size: "desktop", theme: "light" }, "", hasRoom(visited)),
  );
  await judgeBack(checks, browser, world);
  await checks.run("no browser reported anything to the policy's address on any page", async () => {
    const reports = world.policyReports();
    if (reports > 0) throw new Error(`${reports} reports`);
  });
}

const fleet: SeededFleet = { nodes: 200, seed: 6, now: Date.UTC(2026, 10, 16) };
const findNode = (wanted: (node: NodeRecord) => boolean): NodeRecord => {
  const found = inventFleet(fleet).find(wanted);
  if (found === undefined) throw new Error("the seeded fleet has no such node");
  return found;
};

/** The browser tells of every answer that is a refusal, also of one that the page was made for. */
const unknownNode = `/nodes/node_${"0".repeat(26)}`;
const unknownPlan = `/plans/plan_${"0".repeat(26)}`;
const expectUnknown = ({ window }: Pick<Stage, "window">): void =>
  window.expectComplaint(new RegExp(`status of 404.*/api(${unknownNode}|${unknownPlan})`));

interface Visited {
  /** The same in every run, which an id is not. */
  readonly name: string;
  readonly path: string;
}

const fixedAddresses: readonly Visited[] = [
  ...Object.values(
    pageAddresses({
      "/nodes/$id": {
        managed: `/nodes/${findNode(({ facts }) => facts?.mode === "managed").id}`,
        revoked: `/nodes/${findNode(({ revokedAt }) => revokedAt !== undefined).id}`,
        silent: `/nodes/${findNode(({ facts }) => facts === undefined).id}`,
        "unknown-node": unknownNode,
      },
      // Their ids are known when they are made.
      "/plans/$id": {},
      "/plugins/$id": {
        active: "/plugins/acme-firewall",
        waiting: "/plugins/acme-waiting",
        unknown: "/plugins/acme-nobody",
      },
      "/apps/$": { contributed: "/apps/acme-firewall", gone: "/apps/nobody" },
      $: { nowhere: "/no/such/page" },
    }),
  ),
  "/audit?text=nothing-has-these-words",
  "/map?view=50.9,5.5,5",
  "/map?tag=edge&view=50.9,5.5,5",
  "/map?placeless=true",
  "/map?text=nothing-has-these-words",
  "/nodes?tag=edge&text=ams",
  "/nodes?text=nothing-has-these-words",
  "/plans?state=expired",
].map((path) => ({ name: path, path }));

function planAddresses(plans: SeededPlans): readonly Visited[] {
  const { inReview, refused, linted, rejected, approved, done, halted, large } = plans;
  return [
    { name: "a plan in review", path: `/plans/${inReview}` },
    { name: "a plan that the lint refuses", path: `/plans/${refused}` },
    { name: "a plan that nobody was asked about", path: `/plans/${linted}` },
    { name: "a rejected plan", path: `/plans/${rejected}` },
    { name: "an approved plan", path: `/plans/${approved}` },
    { name: "a plan that its hosts have answered", path: `/plans/${done}` },
    { name: "a plan that was halted in its second wave", path: `/plans/${halted}` },
    { name: "a plan for more hosts than a table shows", path: `/plans/${large}` },
    { name: "a plan that is none", path: unknownPlan },
    ...measuredAddresses(plans),
  ];
}

function measuredAddresses({ measured, errorLine }: SeededPlans): readonly Visited[] {
  const nodes = measured.join(",");
  return [
    { name: "a node that has measured something", path: `/nodes/${measured[0]}` },
    { name: "what several nodes measured in the last hour", path: `/metrics?nodes=${nodes}` },
    { name: "what one node measured in the last day", path: `/metrics?nodes=${measured[0]}&range=day&metric=cpu` },
    { name: "no node whose measurements are shown", path: "/metrics?nodes=" },
    {
      name: "the errors of a node, with what is marked",
      path: `/logs?nodes=${measured[0]}&level=error&q=mark:upstream`,
    },
    { name: "a line, with what happened in its minute", path: `/logs?nodes=${measured[0]}&line=${errorLine}` },
    { name: "lines that arrive", path: `/logs?nodes=${measured[0]}&follow=true` },
    { name: "no line that matches", path: "/logs?q=nothing-has-these-words" },
  ];
}

async function seededWorld(): Promise<{ readonly world: World; readonly plans: SeededPlans }> {
  const world = new World();
  const nav = [{ component: "plugin.page", title: "Firewall", path: "/apps/acme-firewall", scope: "plan:read" }];
  world.bundle({
    id: "acme-firewall",
    name: "Firewall",
    capabilities: ["host:firewall", "kv:read", "log:write"],
    contributions: { nav: nav as never, enhancements: [] },
  });
  world.bundle({ id: "acme-waiting", name: "Waiting to be accepted", capabilities: ["host:network"] });
  world.put("acme-renamed", world.bundle({ id: "acme-elsewhere", name: "In a wrong place" }));
  world.sell([
    {
      id: "acme-mesh",
      name: "Mesh",
      publisher: "acme",
      version: "2.0.0",
      summary: "A mesh.",
      capabilities: ["kv:read"],
    },
  ]);
  await seedWorldFleet(world.dataDir, fleet);
  await world.start();
  const api = await openApi(world);
  await api.newUser(viewer.username, "viewer");
  await api.call("POST", "/api/tokens", { name: "nightly check", scopes: ["audit:read"] });
  await api.call("POST", "/api/tokens", { name: limited.name, scopes: ["node:read"], nodes: limited.nodes });
  await api.move("acme-firewall", "installed", "active");
  await seedArtifacts(api);
  const plans = await seedPlans(world, api);
  plans.close();
  return { world, plans };
}

function visit(path: string, who: typeof admin | typeof viewer) {
  return async ({ page, window, judge }: Stage): Promise<void> => {
    if (path === unknownNode || path === unknownPlan) expectUnknown({ window });
    await enter(window, who);
    await page.goto(path);
    await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
    await settled(page);
    await judge(path);
  };
}

/** The stream of events never ends, so a quiet network is one without skeletons and without calls under way. */
async function settled(page: Stage["page"]): Promise<void> {
  await page.getByRole("status").filter({ hasText: "Live" }).first().waitFor({ state: "attached" });
  await page.locator("[aria-busy=true]").first().waitFor({ state: "detached" });
}

async function limitedToken(stage: Stage): Promise<void> {
  await visit("/tokens", admin)(stage);
  const { page, hand, judge } = stage;
  const table = page.getByRole("table", { name: "Tokens" });
  await table.getByRole("row").filter({ hasText: limited.name }).filter({ hasText: "on 2 nodes" }).waitFor();
  await hand.openRow(table, limited.name);
  const sheet = page.getByRole("dialog", { name: limited.name });
  await sheet.getByText("Only 2 nodes").waitFor();
  for (const node of limited.nodes) await sheet.getByText(node, { exact: true }).waitFor();
  await judge("the sheet of a token that is limited to nodes");
}

/** One load for all widths: a window is also made smaller under a page. */
function hasRoom(visited: readonly Visited[]) {
  return async ({ page, window }: Stage): Promise<void> => {
    expectUnknown({ window });
    await enter(window, admin);
    const findings: string[] = [];
    for (const { name, path } of visited) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
      await settled(page);
      for (const width of widths.toReversed()) {
        await page.setViewportSize({ width, height: 900 });
        await page.evaluate(afterFrames);
        // Where a pane becomes a sheet, it slides in.
        await page.waitForFunction(isAtRest);
        findings.push(...(await page.evaluate(crampedThings)).map((line) => `${name} at ${width}: ${line}`));
        if (path !== "/tokens") continue;
        const revoke = page.getByRole("button", { name: /^Revoke/ }).filter({ visible: true });
        if ((await revoke.count()) !== 2) findings.push(`/tokens at ${width}: not every token can be revoked`);
      }
    }
    if (findings.length > 0) throw new Error(findings.join("\n"));
  };
}

async function signInPage({ page, judge }: Stage): Promise<void> {
  await page.goto("/login");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  await judge("/login");
}

async function floating({ page, window, judge }: Stage): Promise<void> {
  await enter(window, admin);
  await page.goto("/settings/about");
  await page.getByRole("heading", { level: 1 }).filter({ visible: true }).first().waitFor();
  // A page that is live also listens to keys.
  await settled(page);
  await page.keyboard.press("Control+k");
  const palette = page.getByRole("dialog");
  await until("the palette takes what is typed", () => palette.getByRole("combobox").evaluate(isFocused));
  await judge("the palette");
  await page.keyboard.type("audit");
  await palette.getByRole("option", { name: /Audit/ }).first().waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL("**/audit");
  await palette.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: /Audit/ }).waitFor();
  await page.keyboard.press("Shift+?");
  await palette.waitFor();
  await judge("the list of keys");
  await page.keyboard.press("Escape");
  await palette.waitFor({ state: "detached" });
  // Sent together: the page lets little time pass between the two.
  await Promise.all([page.keyboard.press("g"), page.keyboard.press("t")]);
  await page.waitForURL("**/tokens");
}
